import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

Deno.serve(
  {
    port: Number(process.env['PORT']),
    hostname: '127.0.0.1',
    onListen: () => console.log(`ready ${process.env['PUBLIC_URL']}`),
  },
  async (request, { remoteAddr }) => {
    if (new URL(request.url).pathname.startsWith('/pay/')) {
      return payments.handle(request, { address: remoteAddr.hostname });
    }
    const page = await pageAt(request.url);
    return page === null
      ? new Response(null, { status: 404 })
      : new Response(page.body, { headers: { 'content-type': page.type } });
  },
);
