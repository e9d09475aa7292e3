// Sends a quantity as soon as it is changed. Without scripts a button does.
for (const input of document.querySelectorAll('.line-form [name="quantity"]')) {
  input.addEventListener('change', () => input.form.requestSubmit());
}
