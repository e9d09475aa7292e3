import { Controller, Get, Module, NotFoundException, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageAt } from '../pages.ts';

@Controller()
class Pages {
  @Get(['/', '/pay-elements.js', '/console-advice.js', '/order/:orderId'])
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const page = await pageAt(request.url);
    if (page === null) throw new NotFoundException();
    response.type(page.type).send(page.body);
  }
}

@Module({ controllers: [Pages] })
export class AppModule {}
