// Writes the times of a receipt in the shopper's own zone, and offers to print it. Without scripts
// the times are Riyadh's and say so.
const SHOP_ZONE = 'Asia/Riyadh';
const locale = document.documentElement.lang === 'ar' ? 'ar-SA-u-ca-gregory-nu-latn' : 'en-GB';
const parts = { dateStyle: 'long', timeStyle: 'short' };
const local = new Intl.DateTimeFormat(locale, parts);
const shop = new Intl.DateTimeFormat(locale, { ...parts, timeZone: SHOP_ZONE });
const zone = new Intl.DateTimeFormat(locale, { timeZoneName: 'long' });

for (const time of document.querySelectorAll('.when time')) {
  const date = new Date(time.dateTime);
  // A zone with the same clocks as Riyadh keeps the name that its readers know.
  if (local.format(date) === shop.format(date)) continue;
  time.textContent = local.format(date);
  const name = zone.formatToParts(date).find(({ type }) => type === 'timeZoneName');
  time.nextElementSibling.textContent = name.value;
}

const print = document.querySelector('[data-print]');
if (print !== null) {
  print.hidden = false;
  print.addEventListener('click', () => globalThis.print());
}
