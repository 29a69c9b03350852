// Hot keys for rating. Streamlit calls the default export again on EVERY rerun and its clean-up only on unmount, so one
// listener is kept per mount and only its state is replaced.
//
// A press is sent with the task that was on the screen and an event id of its own. Presses that are stored (answers, undo)
// wait in localStorage until the server has acknowledged their event; after a lost connection or a reload they are sent
// again with the same id, which the server stores once.
const live = new WeakMap();
const RESEND_MS = 4000;
const typing = t => t && (t.isContentEditable || /^(TEXTAREA|SELECT)$/.test(t.tagName)
  || (t.tagName === 'INPUT' && !/^(radio|checkbox|button|range)$/.test(t.type)));

function keyName(e) {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(e.code);
  if (digit) return digit[1];
  if (/^[a-z]$/i.test(e.key)) return e.key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(e.code);
  return (letter ? letter[1] : e.key).toLowerCase();
}

function newEvent() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, b => b.toString(16).padStart(2, '0')).join('');
}

function readPending(s) {
  try { return JSON.parse(localStorage.getItem(s.slot)); } catch { return null; }
}
function writePending(s, press) {
  try {
    if (press) localStorage.setItem(s.slot, JSON.stringify(press)); else localStorage.removeItem(s.slot);
  } catch { /* storage is off: the press is still sent, only not kept over a reload */ }
  s.pending = press;
  s.madeAt = performance.now();
}

function send(s, press) {
  s.sentAt = performance.now();
  s.trigger('press', press);
}

function press(s, key) {
  const answer = s.data.answers.includes(key);
  if (answer && (!s.ready || s.sent === s.data.item || s.pending)) return;
  if (answer) s.sent = s.data.item;
  const made = { key, item: s.data.item, event: newEvent() };
  if (answer || key === s.data.undo) writePending(s, made);
  send(s, made);
}

function watchGate(s) {
  const image = document.querySelector('.v-task-image img');
  s.ready = !s.data.gate || !!(image && image.complete && image.naturalWidth > 0);
  const area = document.querySelector('.st-key-answers');
  if (area) area.inert = !s.ready;
}

function tick(s) {
  watchGate(s);
  const now = performance.now();
  const late = !!s.pending && now - s.madeAt > RESEND_MS;
  s.banner.hidden = !late;
  s.banner.textContent = late ? s.data.offline : '';
  if (late && now - s.sentAt > RESEND_MS) send(s, s.pending);
}

function start(s) {
  s.onkey = e => {
    const key = keyName(e);
    const known = s.data.answers.includes(key) || s.data.commands.includes(key);
    if (!s.data.enabled || e.repeat || e.ctrlKey || e.metaKey || e.altKey || !known || typing(e.composedPath()[0])) return;
    if (document.querySelector('[role="dialog"]')) return;
    e.preventDefault();
    press(s, key);
  };
  s.onclick = e => {
    const image = e.target.closest?.('.v-task-image');
    if (image) { image.classList.toggle('v-zoomed'); return; }
    const holder = e.target.closest?.('[class*="st-key-give-"]');
    const found = holder && /st-key-give-([a-z0-9])-/.exec(holder.className);
    if (!found || !e.target.closest('button')) return;
    // The button's own way would not carry an event id; it stays for screens without this script.
    e.preventDefault();
    e.stopPropagation();
    press(s, found[1]);
  };
  document.addEventListener('keydown', s.onkey);
  document.addEventListener('click', s.onclick, true);
  s.timer = setInterval(() => tick(s), 120);
  document.documentElement.dataset.hotkeys = 'on';
  s.stop = () => {
    document.removeEventListener('keydown', s.onkey);
    document.removeEventListener('click', s.onclick, true);
    clearInterval(s.timer);
    delete document.documentElement.dataset.hotkeys;
  };
}

export default function ({ parentElement, data, setTriggerValue }) {
  const s = live.get(parentElement) || { sent: null, pending: null, sentAt: 0, madeAt: 0 };
  const fresh = !live.has(parentElement);
  if (s.data && (s.data.item !== data.item || s.data.turn !== data.turn)) s.sent = null;
  Object.assign(s, { data, trigger: setTriggerValue, slot: `verbatim-press-${data.slot}` });
  s.banner = parentElement.querySelector('.hk-banner');
  if (fresh) {
    live.set(parentElement, s);
    start(s);
    s.pending = readPending(s);
    s.madeAt = performance.now();
  }
  if (s.pending && data.acked === s.pending.event) writePending(s, null);
  else if (fresh && s.pending) send(s, s.pending);
  watchGate(s);
  return () => { s.stop(); live.delete(parentElement); };
}
