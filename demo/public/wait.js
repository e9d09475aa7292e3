// The waiting page's own script: once <pay-status> has verified how the payment ended, the page
// follows: to the thanks page when it is paid, else to this page as the shop shows it now.
const READING_MS = 1200;

document.addEventListener('pay-settled', (event) => {
  const { thanks } = event.target.dataset;
  setTimeout(() => {
    if (event.state === 'paid') location.assign(thanks);
    else location.reload();
  }, READING_MS);
});
