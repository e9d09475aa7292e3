import { instantFormat, locales } from './format.ts';

/**
 * The script of the pages. All works without it: it writes times in the reader's own zone, and adds
 * buttons that copy.
 */
export const script = `(() => {
  const { lang, dataset } = document.documentElement;
  const locale = ${JSON.stringify(locales)}[lang];
  const format = new Intl.DateTimeFormat(locale, ${JSON.stringify(instantFormat)});
  for (const time of document.querySelectorAll('time[datetime*="T"]')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
  const zone = document.querySelector('[data-zone]');
  if (zone) zone.textContent = format.resolvedOptions().timeZone;
  const status = document.querySelector('[data-spoken]');
  for (const place of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet small';
    button.textContent = dataset.copyLabel;
    button.setAttribute('aria-label', dataset.copyLabel + ' ' + place.dataset.copy);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(place.textContent.trim());
      button.textContent = dataset.copiedLabel;
      if (status) status.textContent = dataset.copiedLabel;
      setTimeout(() => { button.textContent = dataset.copyLabel; if (status) status.textContent = ''; }, 2000);
    });
    place.after(' ', button);
  }
})();
`;
