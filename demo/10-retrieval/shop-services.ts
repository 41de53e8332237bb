import { type Service, thing } from './service.ts'

/** Made-up servers that sell, ship, publish and keep a site running. */
export const shopServices: readonly Service[] = [
  {
    name: 'payments',
    place: 'the payment service',
    things: [
      thing(
        'payment',
        'money that a customer pays by card',
        'customer amount currency',
        'create read list collect cancel',
      ),
      thing('refund', 'money that a customer gets back', 'payment amount', 'create read list'),
      thing('payer', 'a customer with cards', 'name email', 'create read update'),
      thing(
        'subscription',
        'a payment that comes again each month',
        'customer plan',
        'create cancel pause resume',
      ),
      thing('payout', 'money that goes to your own bank', 'amount', 'create list'),
      thing('dispute', 'a payment that a bank calls back', 'payment text', 'list answer'),
      thing('balance', 'what is on the account now', 'currency', 'get'),
    ],
  },
  {
    name: 'shop',
    place: 'the web shop',
    things: [
      thing('product', 'something that is sold', 'name amount text', 'create read search update archive'),
      thing('order', 'what a customer has bought', 'customer', 'read list cancel export'),
      thing('discount', 'a code that makes a purchase cheaper', 'code percent', 'create list stop'),
      thing('stock level', 'how many pieces are in the warehouse', 'product count', 'get set'),
      thing('rating', 'stars and words of a buyer', 'product', 'list hide'),
      thing('cart', 'what a visitor has not paid yet', 'customer', 'list'),
      thing('collection', 'products that are shown together', 'name', 'create update delete'),
    ],
  },
  {
    name: 'shipping',
    place: 'the parcel service',
    things: [
      thing('parcel', 'a package that is on its way', 'number', 'track list cancel'),
      thing(
        'shipping label',
        'the sticker with address and barcode',
        'address weight',
        'create download cancel',
      ),
      thing('pickup', 'a driver who comes for parcels', 'address day', 'schedule list cancel'),
      thing('rate', 'what it costs to send a parcel', 'country weight', 'estimate compare'),
      thing('address', 'where something is delivered', 'address', 'check add update delete'),
      thing('customs form', 'the paper for parcels abroad', 'country amount', 'create read'),
      thing('pickup point', 'a shop where parcels wait', 'city', 'find'),
      thing('return', 'a parcel that a buyer sends back', 'order', 'create track'),
    ],
  },
  {
    name: 'analytics',
    place: 'the site statistics',
    things: [
      thing(
        'report',
        'figures of a site as a table',
        'metric start end',
        'create read schedule export share',
      ),
      thing('visitor', 'somebody who opens the site', 'day', 'count list'),
      thing('funnel', 'how many people get from step to step', 'steps', 'create read'),
      thing('dashboard', 'charts on one page', 'name', 'create list share delete'),
      thing('goal', 'what visitors should do', 'name', 'create list delete'),
      thing('experiment', 'two versions of a page, shown in turn', 'name percent', 'start stop read'),
      thing('traffic source', 'where visitors come from', 'day', 'list'),
    ],
  },
  {
    name: 'logs',
    place: 'the monitoring',
    things: [
      thing(
        'log line',
        'what a service wrote, its errors included',
        'service query time',
        'search count export',
      ),
      thing(
        'alert',
        'a message when a value is too high',
        'metric percent',
        'create list silence delete acknowledge',
      ),
      thing('metric', 'a number over time, such as load or memory', 'service metric', 'get list compare'),
      thing('chart', 'metrics drawn over time', 'metric', 'create list'),
      thing(
        'incident',
        'an outage and who works on it',
        'title service priority',
        'create read list close assign',
      ),
      thing('trace', 'the way of a request through services', 'service', 'read search'),
    ],
  },
  {
    name: 'cloud',
    place: 'the cloud',
    things: [
      thing(
        'deployment',
        'a version that is put on servers',
        'service version',
        'start read list stop roll_back',
      ),
      thing('server', 'a machine that runs services', 'name memory', 'create restart delete list'),
      thing('database', 'tables of a service', 'name', 'create list back_up restore'),
      thing('secret', 'a password or key of a service', 'name value', 'set list rotate'),
      thing('environment', 'production, staging or test', 'name', 'list copy'),
      thing('cloud bill', 'what machines cost this month', 'month', 'get estimate'),
    ],
  },
  {
    name: 'domains',
    place: 'the domain registrar',
    things: [
      thing('domain', 'a name such as example.org', 'domain', 'register renew check list transfer'),
      thing('DNS record', 'where a name leads', 'domain record_type value', 'create list update delete'),
      thing(
        'certificate',
        'what browsers trust a site by over https (TLS)',
        'domain',
        'request renew read list revoke',
      ),
      thing('redirect', 'an address that leads to another', 'domain url', 'create list delete'),
      thing('mail alias', 'an address whose mail goes elsewhere', 'email to', 'create list delete'),
    ],
  },
  {
    name: 'news',
    place: 'the news service',
    things: [
      thing('article', 'a text of a newspaper', 'query language', 'search read summarize save share'),
      thing('headline', 'the title of a new story', 'topic country', 'list'),
      thing('topic', 'what stories are about', 'topic', 'follow list unsubscribe_from'),
      thing('newspaper', 'where articles come from', 'country', 'list block'),
      thing('podcast', 'a programme to listen to', 'topic', 'search subscribe_to'),
      thing('briefing', 'the news of the day in five minutes', 'topic time', 'create schedule'),
      thing('fact check', 'whether a claim is true', 'claim', 'find'),
      thing('stock quote', 'the price of a share', 'symbol', 'get compare'),
      thing('election result', 'votes and seats', 'country year', 'get'),
      thing('sports result', 'who won a match', 'team', 'get'),
    ],
  },
]
