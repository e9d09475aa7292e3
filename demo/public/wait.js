// The waiting page's own script: it lets the page around <pay-status> follow what that has verified.
const PAID_PAUSE_MS = 1500;

document.addEventListener('pay-settled', (event) => {
  const { thanks } = event.target.dataset;
  if (thanks && event.target.matches('pay-status')) {
    setTimeout(() => location.reload(), PAID_PAUSE_MS);
  }
});
