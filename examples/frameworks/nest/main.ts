import { NestFactory } from '@nestjs/core';
import { payments } from '../payments.ts';
import { AppModule } from './app.module.ts';

const app = await NestFactory.create(AppModule);
app.use('/pay', payments.router());

await app.listen(Number(process.env['PORT']), '127.0.0.1');
console.log(`ready ${process.env['PUBLIC_URL']}`);
