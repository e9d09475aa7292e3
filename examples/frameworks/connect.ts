import connect from 'connect';
import { pageAt } from './pages.ts';
import { payments } from './payments.ts';

const app = connect();
app.use('/pay', payments.router());

app.use((request, response, next) => {
  const page = pageAt(request.url);
  if (page === null) return next();
  response.setHeader('content-type', page.type);
  response.end(page.body);
});

app.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`ready ${process.env['PUBLIC_URL']}`);
});
