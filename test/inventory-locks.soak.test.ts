import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { Keypair as StellarKey } from '@stellar/stellar-sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import { openSoak } from 'openrfq/test/soak.ts'
import { createWalletClient, defineChain, erc20Abi, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  type FamiliesWorld,
  type FamilyChain,
  type FamilyToken,
  startFamiliesWorld,
} from './families-world.ts'

const soak = openSoak()
const CLIENTS = 200
const SENDERS = soak.of(1_000)
const WALKED_WHOLE = 1_000_000n
const HOPS = soak.of(50)
const PAIRS = 20
/** Clients that name rich accounts of somebody else, and these accounts, on every source. */
const STRANGERS = 40
const RICH = [6, 7]
/** Of each pair and size. */
const HONEST_ASKS = soak.of(200)
const LEAST_PERCENT = 99
const WORKERS = 6
const QUOTE_DEADLINE_MS = 60_000
const EVERYTHING = (2n ** 255n).toString()

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld({ TRUST_PROXY: 'on' })
})
after(() => world.stop())

type End = { readonly chain: FamilyChain; readonly token: FamilyToken }
type Pair = { readonly from: End; readonly to: End }
type Asked = Pair & {
  readonly amount: string
  readonly sender: string
  readonly client: string
  readonly orderType?: 'EXACT_INPUT' | 'EXACT_OUTPUT'
}
type Answer = {
  readonly quotes?: readonly { readonly backend: { readonly type: string } }[]
  readonly error?: { readonly details?: { readonly maximum?: string | null } }
}

const usdcOn = (chainId: string): End => {
  const chain = world.sandbox.chains.find((one) => one.chainId === chainId)
  assert.ok(chain)
  return { chain, token: world.tokenOf(chain, /USDC/) }
}
const familyUsdc = (family: FamilyChain['chainType']): End => usdcOn(world.chainOf(family).chainId)

/** As `honestPairs`, between other tokens: without an intent there, the machine is too busy to quote anything. */
const controlPairs = (): readonly Pair[] => {
  const native = ({ chain }: End): End => ({ chain, token: world.tokenOf(chain, /^(ETH|SOL|XLM)$/) })
  return honestPairs().map(({ from, to }) => ({ from: native(from), to: native(to) }))
}

/** A pair for every source family, each into inventory of its own. */
const honestPairs = (): readonly Pair[] => [
  { from: usdcOn('eip155:31337'), to: usdcOn('eip155:31338') },
  { from: familyUsdc('solana'), to: usdcOn('eip155:31339') },
  { from: familyUsdc('stellar'), to: familyUsdc('solana') },
]

const ask = async ({
  from,
  to,
  sender,
  client,
  amount,
  orderType = 'EXACT_INPUT',
}: Asked): Promise<Answer> => {
  const response = await fetch(`${world.url}/v1/rfq/quote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
    body: JSON.stringify({
      fromChain: from.chain.chainId,
      fromToken: from.token.address,
      toChain: to.chain.chainId,
      toToken: to.token.address,
      amount,
      orderType,
      sender,
      recipient: world.accountOf(to.chain, 1).address,
    }),
    signal: AbortSignal.timeout(QUOTE_DEADLINE_MS),
  })
  // CAST: the answer of the quote endpoint.
  return (await response.json()) as Answer
}
const hasIntent = ({ quotes = [] }: Answer): boolean =>
  quotes.some(({ backend }) => backend.type === 'intent')

/** Asks for as much as the service says that it can give. */
const takeAll = async (asked: Omit<Asked, 'amount'>): Promise<void> => {
  const refused = await ask({ ...asked, amount: EVERYTHING })
  const maximum = refused.error?.details?.maximum
  if (typeof maximum === 'string') await ask({ ...asked, amount: maximum })
}

const clientAt = (index: number): string => `10.7.${Math.floor(index / 100) % 2}.${index % 100}`
const unit = ({ token }: End): bigint => 10n ** BigInt(token.decimals)

/** A tenth of the largest solver's holdings, in base units of the source. */
const tenthOf = async ({ from, to }: Pair): Promise<bigint> => {
  const held = await Promise.all(
    world.solversOn(to.chain).map((solver) => world.balanceOf(to.chain, to.token, solver)),
  )
  const most = held.reduce((one, other) => (one > other ? one : other), 0n)
  return (most * unit(from)) / unit(to) / 10n
}

const newSender = async ({ chain }: End): Promise<string> => {
  if (chain.chainType === 'evm') return privateKeyToAccount(generatePrivateKey()).address
  return chain.chainType === 'solana'
    ? (await generateKeyPairSigner()).address
    : StellarKey.random().publicKey()
}

/** Senders without funds ask for everything, each through a client of the many, until the honest are done. */
const flood = async (isOver: () => boolean): Promise<number> => {
  const pairs = honestPairs()
  const senders = await Promise.all(
    Array.from({ length: SENDERS }, async (_, index) => {
      const pair = pairs[index % pairs.length] ?? assert.fail()
      return { ...pair, sender: await newSender(pair.from) }
    }),
  )
  let asked = 0
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const number = asked++
      const sender = senders[number % senders.length] ?? assert.fail()
      await takeAll({ ...sender, client: clientAt(number % CLIENTS) })
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
  return asked
}

const strangerAt = (index: number): string => `10.8.0.${index}`

/** As exchanges do, some accounts hold most of what a solver can pay for, and never deposit. */
const fundRich = async (): Promise<void> => {
  for (const pair of honestPairs())
    for (const index of RICH) {
      const { chain, token } = pair.from
      await world.fund(chain, token, world.accountOf(chain, index).address, 8n * (await tenthOf(pair)))
    }
}

/** Clients without funds name the rich accounts, and ask for all that is left, in turn. */
const nameRich = async (isOver: () => boolean): Promise<void> => {
  const pairs = honestPairs()
  for (let number = 0; !isOver(); number += 1) {
    const pair = pairs[number % pairs.length] ?? assert.fail()
    const client = strangerAt(Math.floor(number / pairs.length) % STRANGERS)
    for (const index of RICH)
      await takeAll({ ...pair, sender: world.accountOf(pair.from.chain, index).address, client })
  }
}

/** One sender with funds asks for everything on many pairs, in turn. */
const spread = async (isOver: () => boolean): Promise<void> => {
  const from = usdcOn('eip155:31337')
  const { address: sender } = world.accountOf(from.chain, 5)
  const targets = world.sandbox.tokens
    .filter(({ chainId }) => chainId !== from.chain.chainId)
    .slice(0, PAIRS)
    .flatMap((token): readonly End[] => {
      const chain = world.sandbox.chains.find(({ chainId }) => chainId === token.chainId)
      return chain === undefined ? [] : [{ chain, token }]
    })
  for (let number = 0; !isOver(); number += 1) {
    const to = targets[number % targets.length] ?? assert.fail()
    await takeAll({ from, to, sender, client: clientAt(number % CLIENTS) })
  }
}

/** Funds walk from address to address; each asks for everything before and after it passes them on. */
const walk = async (): Promise<void> => {
  const [pair = assert.fail()] = honestPairs()
  const { from } = pair
  const { chain, token } = from
  const definition = defineChain({
    id: Number(chain.chainId.split(':')[1]),
    name: chain.chainId,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const amount = WALKED_WHOLE * unit(from)
  const accounts = Array.from({ length: HOPS + 1 }, () => privateKeyToAccount(generatePrivateKey()))
  const native = world.sandbox.tokens.find(
    ({ chainId, symbol }) => chainId === chain.chainId && symbol === 'ETH',
  )
  assert.ok(native)
  const [first = assert.fail()] = accounts
  await world.fund(chain, token, first.address, amount)
  for (const [hop, account] of accounts.slice(0, -1).entries()) {
    const next = accounts[hop + 1] ?? assert.fail()
    await world.fund(chain, native, account.address, 10n ** 18n)
    const wallet = createWalletClient({
      account,
      chain: definition,
      transport: http(chain.rpcUrl, { timeout: 60_000 }),
    })
    for (const client of [hop, hop + 1, hop + 2].map(clientAt))
      await takeAll({ ...pair, sender: account.address, client })
    await wallet.writeContract({
      // CAST: an EVM token's address.
      address: token.address as Hex,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [next.address, amount],
    })
    for (const sender of [account.address, next.address])
      await takeAll({ ...pair, sender, client: clientAt(hop + 100) })
  }
}

/** What an honest sender asks again and again, beside an order that shows whether the machine keeps up. */
type Honest = { readonly ask: Asked; readonly checked: Asked; given: number; refused: number }

const honestAsks = async (): Promise<readonly Honest[]> => {
  const controls = controlPairs()
  const wanted = await Promise.all(
    honestPairs().map(async (pair, index) => {
      const { chain } = pair.from
      const { address: sender } = world.accountOf(chain, 0)
      const tenth = await tenthOf(pair)
      await world.fund(chain, pair.from.token, sender, tenth)
      const control = controls[index] ?? assert.fail()
      const worth = control.from.token.symbol === 'XLM' ? 2_000n : 1n
      const amount = ((unit(control.from) * worth) / 100n).toString()
      const checked = { ...control, sender: world.accountOf(chain, 3).address, amount, client: '10.9.0.2' }
      return [10n * unit(pair.from), tenth].map((base) => ({
        ask: { ...pair, sender, client: '10.9.0.1', amount: base.toString() },
        checked,
        given: 0,
        refused: 0,
      }))
    }),
  )
  return wanted.flat()
}

/** Whether the ask has an intent; undefined if the order beside it has none either. */
const isGiven = async (one: Honest, refusals: string[]): Promise<boolean | undefined> => {
  const before = hasIntent(await ask(one.checked))
  const answer = await ask(one.ask)
  if (hasIntent(answer)) return true
  if (!before || !hasIntent(await ask(one.checked))) return undefined
  refusals.push(
    `${one.ask.amount} from ${one.ask.from.chain.chainId}: ${JSON.stringify(answer).slice(0, 400)}`,
  )
  return false
}

test('free requests, named rich accounts, shared funds and walking funds lock no inventory', async (context) => {
  await fundRich()
  const asks = await honestAsks()
  for (const { ask: asked, checked } of asks)
    for (const body of [asked, checked])
      await eventually(
        () => `an intent of ${body.amount} ${body.from.token.symbol} from ${body.from.chain.chainId}`,
        async () => hasIntent(await ask(body)),
      )
  let isOver = false
  const attack = Promise.all([flood(() => isOver), spread(() => isOver), nameRich(() => isOver), walk()])
  const refusals: string[] = []
  try {
    while (asks.some(({ given, refused }) => given + refused < HONEST_ASKS))
      for (const one of asks) {
        const given = await isGiven(one, refusals)
        if (given === true) one.given += 1
        if (given === false) one.refused += 1
      }
  } finally {
    isOver = true
  }
  const [requests] = await attack
  context.diagnostic(`${requests} requests of ${SENDERS} senders without funds`)
  for (const { ask: asked, given, refused } of asks)
    context.diagnostic(`${asked.amount} from ${asked.from.chain.chainId}: ${given} of ${given + refused}`)
  for (const { given, refused } of asks)
    assert.ok(given * 100 >= LEAST_PERCENT * (given + refused), refusals.join('\n'))
})
