/** Every soak with a description of the whole run; the soak `name` is the file `name.soak.test.ts`. */
export const SOAKS: Readonly<Record<string, string>> = {
  'attested-mutants': '35 changed sources of the attested settler; a test case fails for each',
  'attested-walks': '60 random walks of everybody around the attested settler',
  'attester-kills': '20 kill -9 of the attester',
  'bad-requests':
    '20,000 bad requests to a service with all families: bodies, queries and paths of every endpoint, streams, and connections of damaged bytes',
  'escrow-walks': '300 random walks of everybody around the escrow program on Solana',
  'intent-mutants': '113 changed sources of the intent settler; a test case fails for each',
  'intent-reorgs': 'reorganisations of every depth from 1 to 32 around deposit and fill',
  'factory-mutants': '27 changed sources of the factory; a test case fails for each',
  'inventory-locks':
    '1,000 senders without funds behind 200 clients, 40 clients that name rich accounts of others, one sender on 20 pairs, and 1,000,000 USDC walked through 50 addresses, against honest quotes',
  lies: 'every lie that one endpoint, or two, of a chain can tell, in turn, under transfers and a refund',
  'outbox-kills': '50 kill -9 of a process that submits transactions',
  'payment-floods':
    '14,000 payments of one stroop to the vault on Stellar, two hundred a second, under orders',
  'payment-kills':
    '50 kill -9 of the paying processes, half of the deposits on Stellar in claimable balances, while Solana forks and Stellar loses, holds and overtakes payments',
  'payment-solver-kills': '40 kill -9 of a solver between payment chains',
  'payout-walks': '10,000 random walks of the payout outbox',
  'quote-kills': '100 kill -9 of the service while it answers quotes',
  'router-mutants': '68 changed sources of the express router; a test case fails for each',
  'router-walks':
    '60 random walks of transfers between two express routers; each transfer ends once, and the routers end empty',
  'service-kills': '100 kill -9 of service, keeper and solvers under 200 transfers',
  'settlement-walks': '60 random walks of orders through the settlement, after which it holds what it owes',
  'solver-kills': '40 kill -9 of a solver between EVM chains',
  'status-streams':
    '1,000 streams of 100 transfers for ten minutes and a restart: no state lost, none out of order, flat memory',
  'signature-floods':
    '80,000 transactions on Solana that name the accounts of transfers, under transfers to and from Solana and refunds',
  'store-kills': '100 kill -9 of a process that writes to SQLite',
  'vault-walks': '300 random walks of deposits, fills, forks and kills around the vault',
  'webhook-kills':
    '50 kill -9 of a process that tells a webhook, whose receiver fails now and then: no change lost, none before an earlier one',
}
