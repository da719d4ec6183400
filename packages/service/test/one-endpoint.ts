import type { RpcAsk } from '../src/chains/rpc/rpc-members.ts'
import type { StatementReader } from '../src/chains/rpc/statements.ts'
import type { Payment } from '../src/core/payment.ts'

/** Asks an endpoint that answers nothing. */
export const ASK: RpcAsk = Object.assign(async () => [], { checkTime: () => undefined })

/** A payment of a filler to a recipient, in block 102. */
export const PAYMENT: Payment = {
  chainId: 'solana:test',
  txHash: 'transaction',
  position: 0,
  blockNumber: 102n,
  timestampSeconds: 102,
  from: 'filler',
  to: 'recipient',
  token: 'token',
  amount: 1n,
  muxedId: undefined,
  memo: undefined,
}

/** The statement of the one endpoint. */
export const statements: StatementReader = async ({ confirms }) => [
  { endpoint: 0, confirms: await confirms(ASK, 0) },
]
