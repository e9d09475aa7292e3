/** The code that a shop writes by hand: a plain button, one fetch, no error handling. */
export function payOnClick(button: HTMLButtonElement): void {
  button.addEventListener('click', () => {
    void fetch('/checkout', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ orderId: '1' }),
    });
  });
}
