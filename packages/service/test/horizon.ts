import { type rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { accountBehind } from '../src/chains/stellar/muxed-account.ts'
import { type LocalServer, startLocalServer } from './local-server.ts'

type Told = Awaited<ReturnType<rpc.Server['getTransactions']>>['transactions'][number]

/** An operation of an account as Horizon tells it with `join=transactions`. */
export type HorizonRecord = {
  readonly id: string
  readonly type: string
  readonly from: string
  readonly to: string
  readonly created_at: string
  readonly transaction_hash: string
  readonly transaction_successful: boolean
  readonly transaction: { readonly envelope_xdr: string; readonly result_xdr: string }
}

/** Horizon's names of the operations that pay. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['createAccount', 'create_account'],
  ['payment', 'payment'],
  ['pathPaymentStrictReceive', 'path_payment_strict_receive'],
  ['accountMerge', 'account_merge'],
  ['pathPaymentStrictSend', 'path_payment_strict_send'],
])

const plain = (address: string): string => accountBehind(address)?.account ?? address

const recordsOf = (told: Told, passphrase: string): readonly HorizonRecord[] => {
  const envelope = told.envelopeXdr.toXdr('base64')
  const parsed = TransactionBuilder.fromXdr(envelope, passphrase)
  const inner = 'innerTransaction' in parsed ? parsed.innerTransaction : parsed
  const hash = Buffer.from(parsed.hash()).toString('hex')
  return inner.operations.flatMap((operation, index) => {
    const type = TYPES.get(operation.type)
    if (type === undefined) return []
    const id = `${(BigInt(told.ledger) << 32n) | (BigInt(told.applicationOrder) << 12n) | BigInt(index + 1)}`
    const from = plain(operation.source ?? inner.source)
    const transaction_successful = told.status === 'SUCCESS'
    const result_xdr = told.resultXdr.toXdr('base64')
    return [
      {
        _links: { self: { href: `https://horizon.example/operations/${id}` } },
        ...{ id, paging_token: id, transaction_successful, type, from },
        source_account: from,
        to: 'destination' in operation ? plain(operation.destination) : from,
        created_at: new Date(Number(told.createdAt) * 1000).toISOString().replace('.000Z', 'Z'),
        transaction_hash: hash,
        transaction: {
          hash,
          ledger: told.ledger,
          successful: transaction_successful,
          envelope_xdr: envelope,
          result_xdr,
        },
      },
    ]
  })
}

/** Tests only: a server that keeps a network's history longer than its node, and tells payments in the form of Horizon. */
export const startHorizon = async (node: rpc.Server, passphrase: string) => {
  const records: HorizonRecord[] = []
  let [elder, latest]: [number | undefined, number] = [undefined, 0]
  let lie: (told: readonly HorizonRecord[]) => readonly HorizonRecord[] = (told) => told
  const page = (url: URL): object => {
    const account = url.pathname.split('/').at(-2)
    const [cursor, limit] = [url.searchParams.get('cursor') ?? '0', Number(url.searchParams.get('limit'))]
    const told = lie(records.filter(({ from, to }) => from === account || to === account))
    return { _embedded: { records: told.filter(({ id }) => BigInt(id) > BigInt(cursor)).slice(0, limit) } }
  }
  const server: LocalServer = await startLocalServer(({ url: path }, response) => {
    const url = new URL(path, 'http://horizon')
    response.setHeader('content-type', 'application/hal+json')
    const root = {
      network_passphrase: passphrase,
      history_elder_ledger: elder ?? 0,
      history_latest_ledger: latest,
    }
    response.end(JSON.stringify(url.pathname === '/' ? root : page(url)))
  })
  return {
    url: server.url,
    stop: server.stop,
    /** Takes over what the node knows now. */
    ingest: async (): Promise<void> => {
      const { sequence } = await node.getLatestLedger()
      const startLedger = latest === 0 ? (await node.getHealth()).oldestLedger : latest + 1
      elder ??= startLedger
      if (startLedger > sequence) return
      const { transactions } = await node.getTransactions({ startLedger, pagination: { limit: 200 } })
      records.push(...transactions.flatMap((told) => recordsOf(told, passphrase)))
      latest = sequence
    },
    /** From now on it tells something else than it knows. */
    tell: (changed: typeof lie): void => {
      lie = changed
    },
  }
}
