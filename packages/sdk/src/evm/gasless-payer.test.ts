import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getAddress, type Hex, recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recorded } from '../../test/recorded-quotes.ts'
import { RfqError } from '../client/rfq-error.ts'
import { TransportError } from '../client/transport-error.ts'
import { actionsOf } from '../execute/checked-quote.ts'
import type { Execution } from '../execute/execution.ts'
import type { Guarded } from '../guard/guards.ts'
import type { Opening, OpeningAnswer, OpeningMethod } from '../wire/opening.ts'
import type { Quote } from '../wire/quote.ts'
import type { EvmAction } from './execute-evm-quote.ts'
import { type GaslessWallet, gaslessPayer } from './gasless-payer.ts'
import { orderToOpen, PERMIT2 } from './opening-data.ts'

const account = privateKeyToAccount(generatePrivateKey())
const HASH: Hex = `0x${'12'.repeat(32)}`

/** The recorded quote, made for another sender. */
const forSender = (guarded: Guarded): Guarded => {
  const { sender } = guarded.request
  const swapped = JSON.stringify({ quote: guarded.quote, sender })
    .replaceAll(sender, account.address)
    .replaceAll(sender.slice(2).toLowerCase(), account.address.slice(2).toLowerCase())
  const { quote } = JSON.parse(swapped)
  return { ...guarded, quote, request: { ...guarded.request, sender: account.address } }
}

let guarded: Guarded
let token: Hex
before(() => {
  guarded = forSender(recorded('evm', 'intent'))
  token = getAddress(guarded.quote.input.token)
})

const chainNumber = (): number => Number(guarded.quote.input.chain.slice('eip155:'.length))

const lastActionOf = (quote: Quote): EvmAction => {
  const action = actionsOf(quote, 'evm_transaction').at(-1)
  assert.ok(action)
  return action
}

const tokenDomain = (): Opening['typedData'][number]['domain'] => ({
  name: 'USD Coin',
  version: '2',
  chainId: chainNumber(),
  verifyingContract: token,
})

const openingOf = (method: OpeningMethod, domain = tokenDomain()): Opening => ({
  method,
  typedData: [{ domain, types: {}, primaryType: 'Anything', message: {} }],
})

const withOpenings = (openings: readonly Opening[]): Quote => {
  const { quote } = guarded
  assert.ok(quote.backend.type === 'intent')
  const { backend } = quote
  return { ...quote, backend: { ...backend, metadata: { ...backend.metadata, openings: [...openings] } } }
}

type Signed = Parameters<typeof account.signTypedData>[0]
type Chain = {
  readonly allowance?: bigint
  readonly held?: bigint
  readonly status?: 'success' | 'reverted'
  /** What the settler knows of the order: nothing, or its kind; it may not answer. */
  readonly kind?: bigint | 'silent'
}

/** A wallet of the account on the quote's chain, which keeps what it signs. */
const walletOf = ({ allowance = 0n, held = 10n ** 30n, status = 'success', kind = 0n }: Chain = {}) => {
  const signed: Signed[] = []
  const spenders: string[] = []
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
  const unused = () => assert.fail('nothing is sent')
  const wallet: GaslessWallet = {
    walletClient: {
      account,
      getChainId: async () => chainNumber(),
      sendTransaction: unused,
      signTypedData: (data: Signed) => {
        signed.push(data)
        return account.signTypedData(data)
      },
    },
    publicClient: {
      getChainId: async () => chainNumber(),
      getTransactionCount: unused,
      estimateGas: unused,
      getBalance: unused,
      call: async ({ data }) => {
        const selector = data.slice(0, 10)
        if (selector === '0xb5c645bd') {
          if (kind === 'silent') throw new Error('no answer')
          return { data: `${word(kind)}${'00'.repeat(32)}` }
        }
        if (selector === '0xdd62ed3e') spenders.push(getAddress(`0x${data.slice(-40)}`))
        return { data: word(selector === '0xdd62ed3e' ? allowance : selector === '0x7ecebe00' ? 7n : held) }
      },
      waitForTransactionReceipt: async () => ({ status, transactionHash: HASH, logs: [] }),
    },
  }
  return { wallet, signed, spenders }
}

type Posted = { readonly quoteId: string; readonly method: string; readonly signatures: readonly string[] }

/** A service that answers an opening in this way, and keeps what it was sent. */
const serviceOf = (answer: Partial<OpeningAnswer> | Error = {}) => {
  const posted: Posted[] = []
  const openOrder = async (body: Posted): Promise<OpeningAnswer> => {
    posted.push(body)
    if (answer instanceof Error) throw answer
    return { quoteId: body.quoteId, swapId: '0x', state: 'submitted', txHash: HASH, reason: null, ...answer }
  }
  return { openOrder, posted }
}

const executionOf = (quote: Quote): Execution => ({ quote, now: guarded.now })

test('signs one authorization of ERC-3009 that serves the order of the quote alone, and sends nothing', async () => {
  const { wallet, signed } = walletOf()
  const service = serviceOf()
  const payer = gaslessPayer(wallet, service)
  const quote = withOpenings([openingOf('erc3009')])
  await payer.guard({ ...guarded, quote })
  await payer.simulate(quote)
  const seen: string[] = []
  const started = await payer.execute({
    ...executionOf(quote),
    onAction: ({ action, event, txHash }) => seen.push(`${action.id} ${event} ${txHash}`),
  })
  assert.deepEqual([started.txHash, started.quoteId], [HASH, quote.quoteId])
  assert.deepEqual(seen, [`transfer sent ${HASH}`, `transfer included ${HASH}`])
  const [data] = signed
  const action = lastActionOf(quote)
  assert.ok(data !== undefined)
  assert.equal(data.primaryType, 'ReceiveWithAuthorization')
  assert.deepEqual(data.message, {
    from: account.address,
    to: action.payload.to,
    value: BigInt(quote.input.amount),
    validAfter: 0n,
    validBefore: BigInt(Date.parse(quote.validity.quoteExpiresAt)) / 1000n,
    nonce: orderToOpen(quote, action).orderId,
  })
  assert.deepEqual(data.domain, { ...tokenDomain(), chainId: BigInt(chainNumber()) })
  const [{ method, signatures } = { method: '', signatures: [] }] = service.posted
  assert.equal(method, 'erc3009')
  assert.equal(await recoverTypedDataAddress({ ...data, signature: signatures[0] as Hex }), account.address)
})

test('the id of the order is computed from its calldata, as the settler computes it', () => {
  const { quote } = recorded('evm', 'intent')
  assert.ok(quote.backend.type === 'intent')
  assert.equal(orderToOpen(quote, lastActionOf(quote)).orderId, quote.backend.tracking.swapId)
})

test('what the service says is to be signed changes nothing that is signed', async () => {
  const honest = walletOf()
  await gaslessPayer(honest.wallet, serviceOf()).execute(executionOf(withOpenings([openingOf('erc3009')])))
  const thief = '0x000000000000000000000000000000000000dEaD'
  const lies: readonly Readonly<Record<string, unknown>>[] = [
    { to: thief },
    { value: '9'.repeat(30) },
    { nonce: `0x${'00'.repeat(32)}` },
    { validBefore: '99999999999' },
    { owner: account.address, spender: thief, value: '1' },
  ]
  for (const message of lies)
    for (const primaryType of ['ReceiveWithAuthorization', 'TransferWithAuthorization', 'Permit']) {
      const { wallet, signed } = walletOf()
      const types = { [primaryType]: [{ name: 'to', type: 'address' }] }
      const typedData = [{ domain: tokenDomain(), types, primaryType, message }]
      const lied: Opening = { method: 'erc3009', typedData }
      await gaslessPayer(wallet, serviceOf()).execute(executionOf(withOpenings([lied])))
      assert.deepEqual(signed, honest.signed)
    }
})

test('refuses a domain of another contract or chain, and one without a name, before anything is signed', async () => {
  const cases = [
    [{ verifyingContract: '0x000000000000000000000000000000000000dEaD' }, 'unknown_contract'],
    [{ verifyingContract: undefined }, 'unknown_contract'],
    [{ verifyingContract: PERMIT2 }, 'unknown_contract'],
    [{ chainId: 1 }, 'call_chain'],
    [{ chainId: undefined }, 'call_chain'],
    [{ name: undefined }, 'unknown_call'],
    [{ version: 2 }, 'unknown_call'],
    [{ name: 'x'.repeat(101) }, 'unknown_call'],
  ] as const
  for (const method of ['erc3009', 'erc2612'] as const)
    for (const [change, guard] of cases) {
      const { wallet, signed } = walletOf()
      const payer = gaslessPayer(wallet, serviceOf())
      const quote = withOpenings([openingOf(method, { ...tokenDomain(), ...change })])
      await assert.rejects(payer.guard({ ...guarded, quote }), { code: 'unsafe', guard })
      await assert.rejects(payer.execute(executionOf(quote)), { code: 'unsafe', guard })
      assert.deepEqual(signed, [])
    }
})

test('a permit of ERC-2612 has the nonce of the token, and comes with the order', async () => {
  const { wallet, signed } = walletOf()
  const service = serviceOf()
  await gaslessPayer(wallet, service).execute(executionOf(withOpenings([openingOf('erc2612')])))
  assert.deepEqual(
    signed.map(({ primaryType }) => primaryType),
    ['Permit', 'IntentOrder'],
  )
  assert.equal(Object(signed[0]?.message).nonce, 7n)
  assert.equal(service.posted[0]?.signatures.length, 2)
})

test('takes the first method that needs no allowance or has it, and refuses without any', async () => {
  const quote = withOpenings([openingOf('permit2'), openingOf('allowance'), openingOf('erc3009')])
  for (const [allowance, expected] of [
    [0n, 'erc3009'],
    [10n ** 30n, 'permit2'],
  ] as const) {
    const { wallet, spenders } = walletOf({ allowance })
    const service = serviceOf()
    await gaslessPayer(wallet, service).execute(executionOf(quote))
    assert.equal(service.posted[0]?.method, expected)
    assert.equal(spenders[0], PERMIT2)
  }
  const { wallet, signed } = walletOf()
  const payer = gaslessPayer(wallet, serviceOf())
  const needy = withOpenings([openingOf('permit2'), openingOf('allowance')])
  await assert.rejects(payer.simulate(needy), { code: 'refused', message: /has no allowance over/ })
  await assert.rejects(payer.execute(executionOf(needy)), { code: 'refused' })
  assert.deepEqual(signed, [])
})

test('refuses quotes whose orders the service does not open, and a sender without the input', async () => {
  const payer = gaslessPayer(walletOf().wallet, serviceOf())
  const unknown = { method: 'by_magic', typedData: [] } as unknown as Opening
  for (const quote of [withOpenings([]), withOpenings([unknown]), recorded('evm', 'its').quote])
    await assert.rejects(payer.simulate(quote), {
      code: 'unsupported',
      message: /the service does not open the order/,
    })
  const poor = gaslessPayer(walletOf({ held: 1n }).wallet, serviceOf())
  await assert.rejects(poor.simulate(withOpenings([openingOf('erc3009')])), {
    code: 'refused',
    message: /the wallet holds 1 base units of /,
  })
})

test('distinguishes openings that were declined, refused or reverted, and one with an unknown result', async () => {
  const quote = withOpenings([openingOf('erc3009')])
  const refusal = new RfqError('INVALID_REQUEST', 'the quote has expired', {})
  const cases = [
    [{ state: 'declined', txHash: null, reason: 'not_backed' }, 'success', 'refused', /not_backed/],
    [{ state: 'failed', txHash: HASH }, 'success', 'refused', /failed/],
    [refusal, 'success', 'refused', /the quote has expired/],
    [new TransportError('unreachable', 'gone', true), 'success', 'uncertain', /may open the order until 20/],
    [{}, 'reverted', 'reverted', /the sender has paid nothing. Until 20.* anybody/],
  ] as const
  for (const [answer, status, code, message] of cases) {
    const payer = gaslessPayer(walletOf({ status }).wallet, serviceOf(answer))
    await assert.rejects(payer.execute(executionOf(quote)), { name: 'ExecutionError', code, message })
  }
})

test('an order that a stranger opened with the same call is no failure of the sender', async () => {
  const quote = withOpenings([openingOf('erc3009')])
  for (const state of ['submitted', 'opened'] as const) {
    const payer = gaslessPayer(walletOf({ status: 'reverted', kind: 1n }).wallet, serviceOf({ state }))
    assert.equal((await payer.execute(executionOf(quote))).quoteId, quote.quoteId)
  }
  const silent = gaslessPayer(walletOf({ status: 'reverted', kind: 'silent' }).wallet, serviceOf())
  await assert.rejects(silent.execute(executionOf(quote)), {
    code: 'uncertain',
    message: /status of the quote/,
  })
})

test('signs nothing for a quote that has expired or was made for another sender', async () => {
  const quote = withOpenings([openingOf('erc3009')])
  const { wallet, signed } = walletOf()
  const payer = gaslessPayer(wallet, serviceOf())
  await assert.rejects(payer.execute({ quote, now: Date.parse(quote.validity.quoteExpiresAt) + 1 }), {
    code: 'expired',
  })
  const other = recorded('evm', 'intent').quote
  assert.ok(quote.backend.type === 'intent' && other.backend.type === 'intent')
  await assert.rejects(payer.execute(executionOf({ ...other, backend: quote.backend })), {
    code: 'wrong_wallet',
  })
  assert.deepEqual(signed, [])
})
