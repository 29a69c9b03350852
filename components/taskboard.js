// The task on the screen and everything that answers it. Streamlit calls the default export again on EVERY rerun and its clean-up
// only on unmount, so one listener is kept per mount and only its state is replaced.
const live = new WeakMap();

function zoom(s) {
  const image = s.task.querySelector('.v-task-image');
  image?.classList.toggle('v-zoomed');
  return !!image;
}

function watchGate(s) {
  const image = s.task.querySelector('.v-task-image img');
  s.ready = !s.data.gate || !!(image && image.complete && image.naturalWidth > 0);
  for (const area of document.querySelectorAll('.st-key-answers, .tb-place')) area.inert = !s.ready;
  s.task.dataset.ready = s.ready && !s.pending && !!s.data.item;
}

function tick(s) {
  watchGate(s);
  const now = performance.now();
  const late = !!s.pending && now - s.madeAt > RESEND_MS;
  s.banner.hidden = !late;
  s.banner.textContent = late ? s.data.offline : '';
  if (late && now - s.sentAt > RESEND_MS) send(s, s.pending);
}

function drawTask(s) {
  s.task.dataset.item = s.data.item;
  if (s.html === s.data.html && s.item === s.data.item) return;
  s.task.innerHTML = s.data.html;
  s.html = s.data.html;
  if (s.item !== s.data.item) s.shownAt = performance.now();
}

function settle(s) {
  if (!s.pending || s.data.acked !== s.pending.event) return;
  if (s.pending.item !== s.data.item) keep(draftKey(s, s.pending.item), null);
  writePending(s, null);
}

export default function ({ parentElement, data, setTriggerValue }) {
  const s = live.get(parentElement) || { sent: null, pending: null, sentAt: 0, madeAt: 0, shownAt: 0, group: 0 };
  const fresh = !live.has(parentElement);
  if (s.data && (s.data.item !== data.item || s.data.turn !== data.turn)) s.sent = null;
  Object.assign(s, { data, trigger: setTriggerValue, slot: `verbatim-${data.slot}` });
  s.banner = parentElement.querySelector('.tb-banner');
  s.task = parentElement.querySelector('.tb-task');
  if (fresh) {
    live.set(parentElement, s);
    start(s);
    s.pending = readKept(s.slot);
    s.madeAt = performance.now();
  }
  settle(s);
  drawTask(s);
  drawForm(s, parentElement.querySelector('.tb-place'));
  s.item = data.item;
  if (fresh && s.pending) send(s, s.pending);
  watchGate(s);
  return () => { s.stop(); live.delete(parentElement); };
}
