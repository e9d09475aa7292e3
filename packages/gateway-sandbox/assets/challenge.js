// The time limit, counted down. Without this file the page says until when it is open.
const clock = document.querySelector('#time-left');
const meter = document.querySelector('#time-meter');
const limit = Number(clock?.dataset.limit);
const endsAt = performance.now() + Number(clock?.dataset.left);

function show() {
  const left = Math.max(0, endsAt - performance.now());
  const seconds = Math.ceil(left / 1000);
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  meter.value = left / limit;
  if (left > 0) return;
  clearInterval(ticking);
  // The sandbox tells what became of the payment.
  location.reload();
}

// A stopped sandbox clock lets no time pass here either.
const ticking = clock?.dataset.clock === 'running' ? setInterval(show, 1000) : 0;

const form = document.querySelector('#challenge-form');
let sent = false;
form?.addEventListener('submit', (event) => {
  if (sent) event.preventDefault();
  sent = true;
});
globalThis.addEventListener('pageshow', () => {
  sent = false;
});
