import middie from '@fastify/middie';
import fastify from 'fastify';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = fastify();
// Before Fastify reads any body, so that the routes see each one as it came.
await app.register(middie);
app.use('/pay', payments.router());

app.get('/*', async (request, reply) => {
  const page = await pageAt(request.url);
  return page === null ? reply.callNotFound() : reply.type(page.type).send(page.body);
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
console.log(`ready ${process.env['PUBLIC_URL']}`);
