// The form of a written answer: texts, marks that are hard to type, questions with their keys. What is typed is kept code point
// by code point, and as a draft in this browser until it is stored.
const ALIVE_MS = 60000;

function node(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const draftKey = (s, item) => `${s.slot}-draft-${item}`;

function stateOf(s) {
  const value = name => s.form.querySelector(`[name="${name}"]`)?.value ?? '';
  const labels = {}, flags = [];
  for (const box of s.form.querySelectorAll('input:checked')) {
    if (box.type === 'checkbox') flags.push(box.value); else labels[box.name] = box.value;
  }
  return { verbatim: value('verbatim'), standard: value('standard'), flags, labels };
}

function fill(s, state) {
  for (const name of ['verbatim', 'standard']) {
    const field = s.form.querySelector(`[name="${name}"]`);
    if (field) field.value = state[name] ?? '';
  }
  for (const box of s.form.querySelectorAll('input[type=radio], input[type=checkbox]')) {
    box.checked = box.type === 'checkbox' ? (state.flags ?? []).includes(box.value) : (state.labels ?? {})[box.name] === box.value;
  }
}

function changed(s) {
  const now = JSON.stringify(stateOf(s));
  keep(draftKey(s, s.data.item), now === s.given ? null : JSON.parse(now));
  s.form.querySelector('.tb-restored').hidden = true;
  if (performance.now() - s.aliveAt > ALIVE_MS) {  // somebody is at work: the task stays theirs
    s.aliveAt = performance.now();
    send(s, { key: 'alive', item: s.data.item, event: newEvent() });
  }
}

function saveForm(s) {
  if (press(s, 'save', JSON.stringify(stateOf(s)))) s.form.querySelector('.tb-save').disabled = true;
}

function textField(spec, form) {
  const field = node(spec.rows > 1 ? 'textarea' : 'input', { name: spec.name, dir: 'auto', lang: form.language, autocomplete: 'off', spellcheck: false });
  if (spec.rows > 1) field.rows = spec.rows;
  field.setAttribute('autocapitalize', 'off');
  return node('label', { className: 'tb-text' }, node('span', { textContent: spec.label }), field);
}

function marksRow(s, form) {
  const row = node('div', { className: 'tb-marks' });
  row.setAttribute('role', 'group');
  for (const mark of form.marks) {
    const key = node('button', { type: 'button', textContent: mark.shown, lang: form.language });
    key.onmousedown = e => e.preventDefault();  // the text keeps the caret
    key.onclick = () => {
      const field = s.lastText ?? s.form.querySelector('[name="verbatim"]');
      field.setRangeText(mark.text, field.selectionStart, field.selectionEnd, 'end');
      field.focus();
      changed(s);
    };
    row.append(key);
  }
  return row;
}

function question(s, group, number) {
  const box = node('fieldset', { className: 'tb-group' }, node('legend', { textContent: group.question }));
  group.values.forEach((value, index) => {
    const input = node('input', { type: group.several ? 'checkbox' : 'radio', name: group.name, value: value.value });
    input.onfocus = () => activate(s, number);
    const words = node('span', {}, node('b', { textContent: value.title }), value.text ? ` ${value.text}` : '');
    box.append(node('label', {}, input, node('kbd', { textContent: index < 9 ? index + 1 : '' }), words));
  });
  return box;
}

function activate(s, number) {
  const groups = [...s.form.querySelectorAll('.tb-group')];
  s.group = Math.min(Math.max(number, 0), groups.length - 1);
  groups.forEach((group, index) => group.classList.toggle('tb-here', index === s.group));
  return groups[s.group];
}

function formKey(s, key, e) {
  if (key === 'enter' && !e.composedPath()[0]?.closest?.('button, a, summary')) { saveForm(s); return true; }
  const groups = s.form.querySelectorAll('.tb-group');
  if (!groups.length || e.composedPath()[0]?.type === 'radio' && key.startsWith('arrow')) return false;
  if (key === 'arrowup' || key === 'arrowdown') {
    activate(s, s.group + (key === 'arrowup' ? -1 : 1)).scrollIntoView({ block: 'nearest' });
    return true;
  }
  const box = /^[1-9]$/.test(key) && groups[s.group].querySelectorAll('input')[key - 1];
  if (!box) return false;
  box.checked = !box.checked;
  changed(s);
  if (box.checked && box.type === 'radio') activate(s, s.group + 1);
  return true;
}

function drawForm(s, place) {
  const form = s.data.form;
  const wanted = form ? `${s.data.item} ${JSON.stringify(form)}` : '';
  if (s.drawn === wanted) {
    if (s.form) s.form.querySelector('.tb-save').disabled = !!s.pending;
    return;
  }
  if (s.form) s.form.oninput = s.form.onchange = null;  // a field that is taken away says that it changed
  const typed = s.form && s.item === s.data.item ? stateOf(s) : null;
  Object.assign(s, { drawn: wanted, form: null, lastText: null, group: 0, aliveAt: performance.now() });
  place.replaceChildren();
  if (!form) return;
  s.form = node('form', { className: 'tb-form', noValidate: true });
  s.form.append(node('p', { className: 'tb-restored', hidden: true, textContent: form.restored }));
  for (const spec of form.texts) {
    s.form.append(textField(spec, form));
    if (spec.name === 'verbatim') s.form.append(marksRow(s, form));
  }
  s.form.append(node('div', { className: 'tb-groups' }, ...form.groups.map((group, number) => question(s, group, number))));
  const hint = node('kbd', { textContent: 'Ctrl Enter' });
  s.form.append(node('button', { className: 'tb-save', type: 'submit', disabled: !!s.pending }, form.save, ' ', hint));
  s.form.onsubmit = e => { e.preventDefault(); saveForm(s); };
  s.form.oninput = s.form.onchange = () => changed(s);
  s.form.onfocusin = e => { if (e.target.matches('.tb-text *')) s.lastText = e.target; };
  place.append(s.form);
  fill(s, form.given);
  s.given = JSON.stringify(stateOf(s));
  const draft = typed ?? readKept(draftKey(s, s.data.item));
  if (draft) fill(s, draft);
  s.form.querySelector('.tb-restored').hidden = !draft || !!typed;
  if (form.groups.length) activate(s, 0);
  if (form.texts.length) s.form.querySelector('[name="verbatim"]').focus({ preventScroll: true });
}
