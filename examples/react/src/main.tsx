import { createRoot } from 'react-dom/client';
import { Checkout } from './checkout.tsx';

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Checkout orderId="1001" amount="115.00" />);
