// The waiting page's own script: once <pay-status> has verified how the payment ended, the page
// follows: to the thanks page when it is paid, else to this page as the shop shows it now.
const READING_MS = 1200;

document.addEventListener('pay-settled', ({ state, target }) => {
  const { thanks, orderState } = target.dataset;
  setTimeout(() => {
    if (state === 'paid') location.assign(thanks);
    else if (state !== orderState) location.reload();
  }, READING_MS);
});
