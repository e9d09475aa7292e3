import connect from 'connect';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = connect();
app.use('/pay', payments.router());

app.use((request, response, next) => {
  pageAt(request.url).then((page) => {
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' });
    return response.end(page?.body);
  }, next);
});

app.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});
