import type { BrowserContext } from '@playwright/test';

/** Faults that a browser reports and a shopper may never notice. */
export interface BrowserFaults {
  /** Everything that went wrong on any page so far, one line each. */
  readonly seen: string[];
}

/** Notes every console error, script error, failed request and refusal of a browser. */
export function watchFaults(context: BrowserContext): BrowserFaults {
  const seen: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => seen.push(`script: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    // A page that is left drops what it was still asking for.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') seen.push(`request: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) seen.push(`answer: ${response.status()} ${response.url()}`);
  });
  return { seen };
}
