// Keeps the inspector live: fetches the page again and replaces the parts that changed. Without this
// file the page shows the state at its loading.
const live = document.querySelector('#live');
const pauseMs = 300;
const slowMs = 5000;

/** Unfolded details stay unfolded in the fresh page. */
function carryOver(from, to) {
  for (const details of from.querySelectorAll('details[id]')) {
    const twin = to.querySelector(`#${CSS.escape(details.id)}`);
    if (twin !== null) twin.open = details.open;
  }
}

/** A selector of the focused element that fits the fresh page too. */
function focusPath(root) {
  const active = document.activeElement;
  if (active === null || !root.contains(active)) return null;
  const steps = [];
  for (let node = active; node !== root; node = node.parentElement) {
    if (node.id !== '') {
      steps.unshift(`#${CSS.escape(node.id)}`);
      break;
    }
    const place = [...node.parentElement.children].indexOf(node) + 1;
    steps.unshift(`:nth-child(${place})`);
  }
  return steps.join('>');
}

function replace(part, fresh) {
  carryOver(part, fresh);
  if (part.outerHTML === fresh.outerHTML) return;
  // A half-filled form is left alone until it is sent.
  if (part.querySelector('form[data-touched]') !== null) return;
  const path = focusPath(part);
  const scrolled = [...part.querySelectorAll('.scroller')].map(({ scrollLeft }) => scrollLeft);
  part.replaceWith(fresh);
  fresh.querySelectorAll('.scroller').forEach((scroller, index) => {
    scroller.scrollLeft = scrolled[index] ?? 0;
  });
  globalThis.showCurrent(fresh);
  if (path !== null) fresh.querySelector(`:scope>${path}`)?.focus({ preventScroll: true });
}

async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (fresh !== null) replace(part, document.importNode(fresh, true));
  }
}

function say(state) {
  live.dataset.state = state;
  live.querySelector('span').textContent = live.dataset[`${state}Text`];
}

document.addEventListener('input', (event) => {
  const form = event.target.closest('form');
  if (form !== null) form.dataset.touched = '';
});

// A phone shows one view at a time. It is the same one after a form, and the one that a link leads to.
const views = [...document.querySelectorAll('[name="view"]')];

function show(view) {
  if (view === undefined) return;
  view.checked = true;
  sessionStorage.setItem('inspector-view', view.value);
  globalThis.showCurrent(document);
}

show(views.find(({ value }) => value === sessionStorage.getItem('inspector-view')) ?? views[0]);
for (const view of views) view.addEventListener('change', () => show(view));
document.addEventListener('toggle', ({ target }) => globalThis.showCurrent(target), true);
document.addEventListener('click', ({ target }) => {
  const link = target.closest('a[href^="#"]');
  const part = link && document.querySelector(link.hash)?.closest('[data-live]');
  if (part) show(views.find(({ value }) => value.split(' ').includes(part.dataset.live)));
});

/** Runs one refresh at a time, and one more if something happened meanwhile. */
let running = false;
let wanted = false;
async function follow() {
  wanted = true;
  if (running || document.hidden) return;
  running = true;
  while (wanted) {
    wanted = false;
    try {
      await refresh();
      say('live');
    } catch {
      say('lost');
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  running = false;
}

/** Moves the clock between two refreshes, at the clock's own rate. */
let shown = null;
let shownAt = 0;
setInterval(() => {
  const time = document.querySelector('.clock-now time');
  const { dateTime, dataset } = time;
  if (shown !== dateTime) {
    shown = dateTime;
    shownAt = performance.now();
  }
  const passed = (performance.now() - shownAt) * Number(dataset.rate);
  const now = new Date(Date.parse(dateTime) + passed).toISOString();
  time.querySelector('b').textContent = now.slice(11, 19);
}, 1000);

const nudge = () => void follow();
const tenant = new URLSearchParams(location.search).get('tenant') ?? 'default';
const stream = new EventSource(`/_sandbox/v1/stream?tenant=${encodeURIComponent(tenant)}`);
for (const kind of ['open', 'effect', 'request']) stream.addEventListener(kind, nudge);
stream.addEventListener('error', () => say('lost'));
// The stream reports neither shoppers' steps on the pages nor the clock.
setInterval(nudge, slowMs);
document.addEventListener('visibilitychange', nudge);
globalThis.addEventListener('pagehide', () => stream.close());
