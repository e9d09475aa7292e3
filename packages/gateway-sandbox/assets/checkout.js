// Makes the card form more comfortable. The page works without this file.
const form = document.querySelector('#card-form');
const submit = form.querySelector('[type="submit"]');
const payText = submit.querySelector('.pay-text');
const idle = [...payText.childNodes];
const status = document.querySelector('#paying');

/** Digits of any keyboard as 0 to 9, and the characters in `others`; the rest goes. */
function plainDigits(text, others = '') {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/\D/g, (character) => (others.includes(character) ? character : ''));
}

function schemeOf(digits) {
  if (/^(968299|42013[123]|446404|529741)/.test(digits)) return 'mada';
  if (/^(968298|4)/.test(digits)) return 'visa';
  return /^(968297|5[1-5])/.test(digits) ? 'mastercard' : '';
}

/** Removes characters that a field cannot hold; the caret stays behind the same characters. */
function accept(input, clean) {
  input.addEventListener('input', () => {
    const kept = clean(input.value);
    if (kept === input.value) return;
    const caret = clean(input.value.slice(0, input.selectionStart)).length;
    input.value = kept;
    input.setSelectionRange(caret, caret);
  });
}

/** Formats a value only while the shopper types at the end, so that the caret does not jump. */
function format(input, write) {
  input.addEventListener('input', (event) => {
    const atEnd = input.selectionStart === input.value.length;
    const deletes = event instanceof InputEvent && event.inputType.startsWith('delete');
    if (atEnd && !deletes) input.value = write(plainDigits(input.value), input.value);
  });
}

const number = form.elements.namedItem('number');
const expiry = form.elements.namedItem('expiry');
const cvv = form.elements.namedItem('cvv');

accept(number, (text) => plainDigits(text, ' '));
accept(expiry, (text) => plainDigits(text, '/'));
accept(cvv, (text) => plainDigits(text).slice(0, 4));
format(number, (digits) => digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 '));
format(expiry, (digits, typed) =>
  digits.length > 2 && digits.length <= 4 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : typed,
);

function showScheme() {
  form.dataset.scheme = schemeOf(plainDigits(number.value));
}
number.addEventListener('input', showScheme);
showScheme();

// An error is about the last attempt. It goes when the shopper edits the field or the way to pay.
const summary = document.querySelector('.payment > [role="alert"]');

function clearErrors(fields) {
  for (const field of fields) {
    const error = document.querySelector(`#${field.id}-error`);
    if (error === null) continue;
    error.remove();
    field.removeAttribute('aria-invalid');
    const hint = document.querySelector(`#${field.id}-hint`);
    if (hint === null) field.removeAttribute('aria-describedby');
    else field.setAttribute('aria-describedby', hint.id);
  }
  if (form.querySelector('[aria-invalid]') === null) summary?.remove();
}

form.addEventListener('input', ({ target }) => {
  clearErrors(target.name === 'method' ? [number, expiry, cvv] : [target]);
});

for (const link of document.querySelectorAll('a.fill')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    form.querySelector('[name="method"][value="card"]').checked = true;
    number.value = link.dataset.number.replace(/(\d{4})(?=\d)/g, '$1 ');
    expiry.value = link.dataset.expiry;
    cvv.value = link.dataset.cvv;
    showScheme();
    clearErrors([number, expiry, cvv]);
    submit.focus();
  });
}

let sent = false;
form.addEventListener('submit', (event) => {
  if (sent) {
    event.preventDefault();
    return;
  }
  sent = true;
  submit.setAttribute('aria-disabled', 'true');
  payText.textContent = form.dataset.paying;
  status.textContent = form.dataset.paying;
});

// After Back from the shop, the browser may restore the page as the shopper left it.
globalThis.addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  sent = false;
  submit.removeAttribute('aria-disabled');
  payText.replaceChildren(...idle);
  status.textContent = '';
});
