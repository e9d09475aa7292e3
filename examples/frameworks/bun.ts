/// <reference types="bun" />

import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

Bun.serve({
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  fetch: async (request, server) => {
    if (new URL(request.url).pathname.startsWith('/pay/')) {
      return payments.handle(request, { address: server.requestIP(request)?.address });
    }
    const page = await pageAt(request.url);
    return page === null
      ? new Response(null, { status: 404 })
      : new Response(page.body, { headers: { 'content-type': page.type } });
  },
});
console.log(`ready ${process.env['PUBLIC_URL']}`);
