import { index, route, type RouteConfig } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('order/:orderId', 'routes/order.tsx'),
  route('pay/*', 'routes/pay.ts'),
] satisfies RouteConfig;
