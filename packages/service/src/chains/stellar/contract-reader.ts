import type { ContractCall, ContractChain } from '../payment-chain.ts'
import { expectResult } from '../rpc/expect-result.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { SimulatedCall } from './rpc-answers.ts'
import { xdrAddress, xdrOpaque, xdrUint32 } from './sc-val.ts'
import { loadStellarSdk } from './sdk.ts'
import { expectTransactionEvents } from './transaction-events.ts'

const ENVELOPE_TYPE_TX = 2
const KEY_BYTES = 32
const SEQUENCE_BYTES = 8
const INVOKE_HOST_FUNCTION = 24
const NONE = xdrUint32(0)
const ONE = xdrUint32(1)

/** An unsigned transaction of an account that need not exist, which only a simulation takes. Source: Stellar-transaction.x. */
const envelopeOf = ({ contract, name, arguments: values }: ContractCall): string => {
  const source = [NONE, Buffer.alloc(KEY_BYTES)]
  const [fee, conditions, memo, extension, signatures] = [NONE, NONE, NONE, NONE, NONE]
  const [operationSource, hostFunctionType, authorisations] = [NONE, NONE, NONE]
  return Buffer.concat([
    xdrUint32(ENVELOPE_TYPE_TX),
    ...source,
    fee,
    Buffer.alloc(SEQUENCE_BYTES),
    conditions,
    memo,
    ONE,
    operationSource,
    xdrUint32(INVOKE_HOST_FUNCTION),
    hostFunctionType,
    xdrAddress(contract),
    xdrOpaque(Buffer.from(name, 'ascii')),
    xdrUint32(values.length),
    ...values.map((value) => Buffer.from(value, 'base64')),
    authorisations,
    extension,
    signatures,
  ]).toString('base64')
}

/** Reads contracts: calls by simulation, and the events of a transaction by agreement. Source: Stellar RPC. */
export const createContractReader = ({
  pool,
  passphrase,
  deadlineMs,
}: {
  readonly pool: RpcPool
  readonly passphrase: string
  readonly deadlineMs: number
}): ContractChain => ({
  callAll: (calls) =>
    pool.workForQuotes(async (ask) => {
      const answers = await ask(
        calls.map((call) => ({ method: 'simulateTransaction', params: { transaction: envelopeOf(call) } })),
      )
      return calls.map(({ name }, position) => {
        const { error, results } = expectResult(answers[position], SimulatedCall)
        const [result] = results ?? []
        if (result === undefined)
          throw new RpcError('MALFORMED', `${name} fails: ${error ?? 'there is no result'}`)
        return result.xdr
      })
    }, deadlineMs),
  eventsIn: (txHash, contracts) =>
    pool.agree({
      work: async (ask) => {
        const sdk = await loadStellarSdk()
        const { succeeded, timestampSeconds, events } = await expectTransactionEvents(
          { sdk, passphrase },
          ask,
          txHash,
        )
        return {
          succeeded,
          timestampSeconds,
          events: events
            .filter(({ contractId }) => contracts.includes(contractId))
            .map(({ contractId, topic }) => ({ contract: contractId, topics: topic ?? [] })),
        }
      },
      deadlineMs,
    }),
})
