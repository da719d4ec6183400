import { EXAGGERATION, FUTURE_SECONDS, type Lie } from '../lie.ts'
import { type AnswerCall, itemsOf, mapResult, membersOf, type RpcAnswer } from '../rpc-message.ts'
import { createRepeater, inflate, type PaymentForger } from './forged-payments.ts'

type Deps = {
  readonly honest: AnswerCall
  /** The newest slot when the lie began. */
  readonly since: number
}

const OTHER_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const FAILURE = { InstructionError: [0, { Custom: 1 }] }
const REPETITIONS = 4
/** Where a token account holds its amount. */
const TOKEN_AMOUNT_AT = 64
const TOKEN_ACCOUNT_BYTES = 165
/** An order of the escrow program begins with its status. Source: contracts/solana/README.md. */
const ORDER_ACCOUNT_BYTES = 200
const OPEN_ORDER = 1
const REFUNDED_ORDER = 3

const later = (time: unknown): unknown => (typeof time === 'number' ? time + FUTURE_SECONDS : time)

const changed = (value: unknown, members: object): unknown =>
  value === null ? null : { ...membersOf(value), ...members }

const onStatuses = (answer: RpcAnswer, change: (status: unknown, slot: unknown) => unknown): RpcAnswer =>
  mapResult(answer, (result) => {
    const { context, value } = membersOf(result)
    const { slot } = membersOf(context)
    return changed(result, { value: itemsOf(value).map((status) => change(status, slot)) })
  })

const failedReceipts =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    const err = FAILURE
    if (call.method === 'getSignatureStatuses')
      return onStatuses(answer, (status) => changed(status, { err, status: { Err: err } }))
    if (call.method !== 'getTransaction') return answer
    return mapResult(answer, (found) => changed(found, { meta: changed(membersOf(found)['meta'], { err }) }))
  }

const nullReceipts =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    if (call.method === 'getTransaction') return { result: null }
    const answer = await honest(call)
    return call.method === 'getSignatureStatuses' ? onStatuses(answer, () => null) : answer
  }

/** What never landed is final. */
const fakeReceipts =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    if (call.method !== 'getSignatureStatuses') return answer
    const final = { confirmationStatus: 'finalized', confirmations: null, err: null, status: { Ok: null } }
    return onStatuses(answer, (status, slot) => status ?? { ...final, slot })
  }

const moreTokens = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < TOKEN_ACCOUNT_BYTES) return text
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(TOKEN_AMOUNT_AT) * EXAGGERATION, TOKEN_AMOUNT_AT)
  return bytes.toString('base64')
}

/** What an order's account of the escrow program says of its status: open and refunded are told for each other. */
const otherStatus = (text: string): string => {
  const bytes = Buffer.from(text, 'base64')
  bytes[0] = bytes[0] === OPEN_ORDER ? REFUNDED_ORDER : OPEN_ORDER
  return bytes.toString('base64')
}

const altered = (text: string): string =>
  Buffer.from(text, 'base64').length === ORDER_ACCOUNT_BYTES ? otherStatus(text) : moreTokens(text)

const richer = (account: unknown): unknown => {
  const { lamports, data } = membersOf(account)
  const [text, encoding] = itemsOf(data)
  const tokens = encoding === 'base64' ? { data: [altered(String(text)), encoding] } : {}
  return changed(account, { lamports: Number(lamports) * Number(EXAGGERATION), ...tokens })
}

const fakeCalls =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    if (call.method !== 'getMultipleAccounts' && call.method !== 'getAccountInfo') return answer
    return mapResult(answer, (result) => {
      const { value } = membersOf(result)
      return changed(result, { value: Array.isArray(value) ? value.map(richer) : richer(value) })
    })
  }

const futureTime =
  ({ honest, since }: Deps): AnswerCall =>
  async (call) => {
    const answer = await honest(call)
    const isLater = (slot: unknown): boolean => Number(slot) >= since
    const inFuture = (item: unknown): unknown =>
      isLater(membersOf(item)['slot'])
        ? changed(item, { blockTime: later(membersOf(item)['blockTime']) })
        : item
    switch (call.method) {
      case 'getBlockTime':
        return isLater(itemsOf(call.params)[0]) ? mapResult(answer, later) : answer
      case 'getTransaction':
        return mapResult(answer, inFuture)
      case 'getSignaturesForAddress':
        return mapResult(answer, (page) => itemsOf(page).map(inFuture))
      default:
        return answer
    }
  }

const hiddenPayments =
  ({ honest }: Deps): AnswerCall =>
  async (call) => {
    if (call.method === 'getSignaturesForAddress') return { result: [] }
    return call.method === 'getTransaction' ? { result: null } : honest(call)
  }

const withForgeries = ({ honest }: Deps, forger: PaymentForger): AnswerCall => {
  return async (call) => {
    const [signature, ...config] = itemsOf(call.params)
    const original = forger.originalOf(signature)
    if (call.method === 'getTransaction' && original !== undefined)
      return mapResult(await honest({ method: 'getTransaction', params: [original, ...config] }), (found) =>
        forger.forge(found, String(signature)),
      )
    if (call.method === 'getSignatureStatuses') {
      const asked = itemsOf(signature).map((one) => forger.originalOf(one) ?? one)
      return honest({ method: call.method, params: [asked, ...config] })
    }
    const answer = await honest(call)
    if (call.method !== 'getSignaturesForAddress') return answer
    return mapResult(answer, (page) => itemsOf(page).flatMap((entry) => [entry, ...forger.copiesOf(entry)]))
  }
}

/** The answers of an endpoint that tells the lie; honest ones for what lies below JSON-RPC. */
export const tellSolanaLie = (lie: Lie, deps: Deps): AnswerCall => {
  switch (lie) {
    case 'failed_receipts':
      return failedReceipts(deps)
    case 'null_receipts':
      return nullReceipts(deps)
    case 'fake_receipts':
      return fakeReceipts(deps)
    case 'fake_calls':
      return fakeCalls(deps)
    case 'future_time':
      return futureTime(deps)
    case 'hidden_payments':
      return hiddenPayments(deps)
    case 'repeated_payments':
      return withForgeries(
        deps,
        createRepeater(REPETITIONS, (transaction) => transaction),
      )
    case 'fake_payments':
      return withForgeries(deps, createRepeater(1, inflate))
    case 'wrong_chain':
      return async (call) =>
        call.method === 'getGenesisHash' ? { result: OTHER_GENESIS } : deps.honest(call)
    default:
      return deps.honest
  }
}
