import { html } from './html.ts';
import type { Html } from './html.ts';
import { inLanguage } from './language.ts';
import type { Language } from './language.ts';

interface FrameParts {
  readonly language: Language;
  readonly strip: string;
  readonly languages: string;
  /** The page's own address, for the language switch. */
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly main: Html;
  /** For pages that show much: the bar is as wide as they are. */
  readonly wide?: boolean;
}

/** What every page of the sandbox has around it: the strip, the name, the language switch. */
export function framed({
  language,
  strip,
  languages,
  path,
  parameters,
  main,
  wide = false,
}: FrameParts): Html {
  const choice = (code: Language, name: string) =>
    html`<a
      href="${inLanguage(path, parameters, code)}"
      lang="${code}"
      hreflang="${code}"
      data-test="lang-${code}"
      ${language === code && html` aria-current="true"`}
      >${name}</a
    >`;
  return html`<header>
      <div class="strip" role="note">
        <span class="strip-dot" aria-hidden="true"></span>${strip}
      </div>
      <div class="bar ${wide && html`bar-wide`}">
        <span class="brand"
          ><svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
            <rect width="28" height="28" rx="8" class="brand-tile" />
            <path d="M8 9.5h12M8 14h12M8 18.5h7" class="brand-line" /></svg
          ><span dir="ltr">Pay Sandbox</span></span
        >
        <nav class="languages" aria-label="${languages}">
          ${choice('en', 'English')}${choice('ar', 'العربية')}
        </nav>
      </div>
    </header>
    ${main}`;
}
