import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A shop of another origin, which says by its title which of its pages was reached. */
export async function startShop(): Promise<{ successUrl: string; failureUrl: string }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>shop ${request.url?.split('?')[0]}</title>`,
    );
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    successUrl: `http://localhost:${port}/thanks?order=7&x=%20y#done`,
    failureUrl: `http://localhost:${port}/retry?order=7#again`,
  };
}
