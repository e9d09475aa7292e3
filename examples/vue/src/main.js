import '@pay-button/widget';
import { createApp } from 'vue';
import Checkout from './checkout.vue';

createApp(Checkout, { orderId: '1001', amount: '115.00' }).mount('#root');
