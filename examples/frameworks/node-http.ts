import { createServer } from 'node:http';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const router = payments.router();

// Without pages of your own, the router is the whole listener: createServer(payments.router()).
const server = createServer((request, response) => {
  router(request, response, () => {
    pageAt(request.url).then(
      (page) => {
        response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' });
        return response.end(page?.body);
      },
      () => response.writeHead(500).end(),
    );
  });
});

server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});
