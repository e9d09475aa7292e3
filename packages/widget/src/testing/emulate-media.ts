import { cdp } from 'vitest/browser';

/** What Vitest's page knows of Chromium's own protocol. */
interface Protocol {
  send(method: string, parameters: object): Promise<unknown>;
}

/** Has the browser say that the shopper asked for this, as `@media (name: value)` sees it. */
export async function emulateMedia(name: string, value: string): Promise<void> {
  const features = [{ name, value }];
  await (cdp() as Protocol).send('Emulation.setEmulatedMedia', { features });
}
