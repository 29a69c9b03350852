// Presses: one press is one event with an id of its own, sent with the task that was on the screen.
//
// What is stored (answers, undo, a written answer) waits in localStorage until the server has acknowledged its event; after a
// lost connection or a reload it is sent again with the same id, which the server stores once.
const RESEND_MS = 4000;
const DOUBLE_MS = 500;
const typing = t => t && (t.isContentEditable || /^(TEXTAREA|SELECT)$/.test(t.tagName)
  || (t.tagName === 'INPUT' && !/^(radio|checkbox|button|range)$/.test(t.type)));

// While the connection is lost Streamlit's own dialog says so; a press is kept and sent later.
const isConnected = () => document.querySelector('[data-test-connection-state]')?.dataset.testConnectionState === 'CONNECTED';

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

// Storage may be off or full: a press is still sent then, only not kept over a reload.
function readKept(key) {
  try { return JSON.parse(localStorage.getItem(key)); } catch { return null; }
}
function keep(key, value) {
  try {
    if (value) localStorage.setItem(key, JSON.stringify(value)); else localStorage.removeItem(key);
  } catch { /* as above */ }
}

function writePending(s, press) {
  keep(s.slot, press);
  s.pending = press;
  s.madeAt = performance.now();
}

function send(s, press) {
  s.sentAt = performance.now();
  s.trigger('press', press);
}

function press(s, key, value) {
  const answer = key === 'save' || s.data.answers.includes(key);
  const stored = answer || key === s.data.undo;
  if (stored && s.pending) return false;  // one after the other: an undo is of what was stored before it
  if (answer && (!s.ready || s.sent === s.data.item)) return false;
  if (answer) s.sent = s.data.item;
  const made = { key, item: s.data.item, event: newEvent() };
  if (value !== undefined) made.value = value;
  if (stored) writePending(s, made);
  send(s, made);
  return true;
}

function onKey(s, e) {
  if (e.isComposing || e.repeat || (isConnected() && document.querySelector('[role="dialog"]'))) return;
  if (s.form && e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); saveForm(s); return; }
  if (e.key === 'Escape' && typing(e.composedPath()[0])) { e.composedPath()[0].blur(); return; }
  if (!s.data.enabled || e.ctrlKey || e.metaKey || e.altKey || typing(e.composedPath()[0])) return;
  const key = keyName(e);
  const answers = s.data.answers.includes(key);
  if (!answers && s.form && formKey(s, key, e)) { e.preventDefault(); return; }
  if (!answers && key === 'i' && zoom(s)) { e.preventDefault(); return; }
  if (!answers && !s.data.commands.includes(key)) return;
  e.preventDefault();
  press(s, key);
}

function onClick(s, e) {
  if (e.target.closest?.('.v-task-image')) { zoom(s); return; }
  const holder = e.target.closest?.('[class*="st-key-give-"], [class*="st-key-reason-"]');
  const found = holder && /st-key-(?:give|reason)-([a-z0-9])(?![a-z0-9])/.exec(holder.className);
  if (!found || !e.target.closest('button')) return;
  // The button's own way would not carry an event id; it stays for screens without this script.
  e.preventDefault();
  e.stopPropagation();
  // The second click of a double click was not meant for the task that has just come.
  if (e.detail > 1 && performance.now() - s.shownAt < DOUBLE_MS) return;
  press(s, found[1]);
}

function start(s) {
  s.onkey = e => onKey(s, e);
  s.onclick = e => onClick(s, e);
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
