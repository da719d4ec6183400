import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RfqError } from '@openrfq/sdk'
import { Network } from 'openrfq/src/core/network.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { erc20Abi, type Hex, hexToString, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { Address, balanceOf, type Chain, clientOf, Description } from '../test/sandbox-fixture.ts'
import { type Sandbox, startSandbox } from './index.ts'
import { ATTESTER } from './keys.ts'

const GATEWAY_ABI = parseAbi([
  'function tokenMintLimit(string symbol) view returns (uint256)',
  'function tokenMintAmount(string symbol) view returns (uint256)',
])
const ITS_ABI = parseAbi(['function deployedTokenManager(bytes32 tokenId) view returns (address)'])
const SETTLER_ABI = parseAbi([
  'function chainName() view returns (bytes32)',
  'function proofWindow() view returns (uint32)',
])
const ATTESTED_ABI = parseAbi(['function proofWindow() view returns (uint32)'])
const MANAGER_ABI = parseAbi([
  'function flowLimit() view returns (uint256)',
  'function flowInAmount() view returns (uint256)',
])

let sandbox: Sandbox
let description: Description
before(async () => {
  sandbox = await startSandbox({ log: () => undefined, now: Date.now, withPaymentChains: false })
  description = Description.parse(await call('/sandbox', undefined))
})
after(() => sandbox.stop())

const call = (path: string, body: unknown): Promise<unknown> => {
  const endpoint = sandbox.endpoints.find((candidate) => candidate.path === path)
  assert.ok(endpoint !== undefined, path)
  return endpoint.handle(body)
}

const chainAt = (index: number): Chain => {
  const chain = description.chains[index]
  assert.ok(chain !== undefined)
  return chain
}

const tokensOn = (chain: Chain) => description.tokens.filter(({ chainId }) => chainId === chain.chainId)

const tokenNamed = (chain: Chain, symbol: string) => {
  const token = tokensOn(chain).find((candidate) => candidate.symbol === symbol)
  assert.ok(token !== undefined, symbol)
  return token
}

const managerOf = async (chain: Chain, tokenId: Hex | undefined): Promise<Hex> => {
  assert.ok(tokenId !== undefined)
  const { its } = chain.contracts
  return clientOf(chain).readContract({
    address: its,
    abi: ITS_ABI,
    functionName: 'deployedTokenManager',
    args: [tokenId],
  })
}

test('the network is a valid service configuration of three chains that answer', async () => {
  const network = Network.parse(sandbox.network)
  assert.deepEqual(
    network.chains.map(({ chainId, chainLabel }) => [chainId, chainLabel]),
    [
      ['eip155:31337', 'Sandbox A'],
      ['eip155:31338', 'Sandbox B'],
      ['eip155:31339', 'Sandbox C'],
    ],
  )
  for (const { chainId, rpcUrls, axelar, intent, attested } of network.chains) {
    const client = clientOf({ rpcUrl: rpcUrls[0] ?? '' })
    assert.equal(`eip155:${await client.getChainId()}`, chainId)
    const code = await Promise.all(
      [axelar?.gateway, axelar?.gasService, axelar?.its, intent?.settler, attested?.settler].map((address) =>
        client.getCode({ address: Address.parse(address) }),
      ),
    )
    assert.ok(code.every((bytes) => (bytes?.length ?? 0) > 100))
  }
})

test('GET /sandbox lists ten accounts with their keys, each funded with every token on every chain', async () => {
  assert.ok(description.accounts.length >= 10)
  for (const { address, privateKey } of description.accounts)
    assert.equal(privateKeyToAddress(privateKey), address)
  const holdings = description.chains.flatMap((chain) =>
    tokensOn(chain).flatMap(({ address, decimals }) =>
      description.accounts.map(
        async (account) => (await balanceOf(chain, address, account.address)) / 10n ** BigInt(decimals),
      ),
    ),
  )
  const whole = await Promise.all(holdings)
  assert.ok(whole.length >= 200 && whole.every((amount) => amount >= 1000n))
})

test('chain C keeps six decimals of an interchain token with eighteen at home', () => {
  const decimals = description.chains.map((chain) => tokenNamed(chain, 'HBR').decimals)
  assert.deepEqual(decimals, [18, 18, 6])
})

test('the supply minted on other chains is locked at home', async () => {
  const [home, ...remotes] = description.chains
  assert.ok(home !== undefined)
  const usdc = tokenNamed(home, 'USDC')
  const locked = await balanceOf(home, usdc.address, home.contracts.gateway)
  const supplies = await Promise.all(
    remotes.map((chain) =>
      clientOf(chain).readContract({
        address: tokenNamed(chain, 'axlUSDC').address,
        abi: erc20Abi,
        functionName: 'totalSupply',
      }),
    ),
  )
  assert.equal(
    locked,
    supplies.reduce((sum, supply) => sum + supply, 0n),
  )
  const harbour = tokenNamed(home, 'HBR')
  const manager = await managerOf(home, harbour.its?.tokenId)
  assert.equal(await balanceOf(home, harbour.address, manager), 2n * 1_010_000_000n * 10n ** 18n)
})

test('mint limits and flow limits are enforced on chain and unused at the start', async () => {
  for (const chain of description.chains) {
    const client = clientOf(chain)
    for (const { symbol } of tokensOn(chain).filter(({ gateway }) => gateway !== undefined)) {
      const read = { address: chain.contracts.gateway, abi: GATEWAY_ABI, args: [symbol] } as const
      assert.ok((await client.readContract({ ...read, functionName: 'tokenMintLimit' })) > 0n)
      assert.equal(await client.readContract({ ...read, functionName: 'tokenMintAmount' }), 0n)
    }
    const token = tokenNamed(chain, 'HBR')
    const manager = { address: await managerOf(chain, token.its?.tokenId), abi: MANAGER_ABI } as const
    assert.equal(
      await client.readContract({ ...manager, functionName: 'flowLimit' }),
      500_000n * 10n ** BigInt(token.decimals),
    )
    assert.equal(await client.readContract({ ...manager, functionName: 'flowInAmount' }), 0n)
  }
})

test("attested settlers share one address, have the solvers' allowances, and the attester holds gas", async () => {
  const { intent } = Network.parse(sandbox.network)
  assert.ok(intent !== undefined)
  const address = chainAt(0).contracts.attestedSettler
  for (const chain of description.chains) {
    const client = clientOf(chain)
    assert.equal(chain.contracts.attestedSettler, address)
    const read = { address, abi: ATTESTED_ABI, functionName: 'proofWindow' } as const
    assert.ok((await client.readContract(read)) <= intent.refundDelaySeconds)
    assert.ok((await client.getBalance({ address: ATTESTER.address })) >= 10n ** 18n)
    const [solver] = description.solvers
    assert.ok(solver !== undefined)
    const args = [solver.address, address] as const
    const token = tokenNamed(chain, 'HBR').address
    const allowance = { address: token, abi: erc20Abi, functionName: 'allowance', args } as const
    assert.ok((await client.readContract(allowance)) >= 10n ** 30n)
  }
})

test('settlers share one address, and know the Axelar name of their chain', async () => {
  const settlers = new Set(description.chains.map(({ contracts }) => contracts.settler))
  assert.equal(settlers.size, 1)
  const delay = Network.parse(sandbox.network).intent?.refundDelaySeconds ?? 0
  for (const chain of description.chains) {
    const settler = { address: chain.contracts.settler, abi: SETTLER_ABI } as const
    const name = await clientOf(chain).readContract({ ...settler, functionName: 'chainName' })
    assert.equal(hexToString(name, { size: 32 }), chain.axelarName)
    assert.ok((await clientOf(chain).readContract({ ...settler, functionName: 'proofWindow' })) <= delay)
  }
})

test('on every chain two solvers hold all tokens they may quote, and the keeper holds gas', async () => {
  assert.deepEqual(
    description.solvers.map(({ name, mode, processId }) => [name, mode, processId]),
    [
      ['Reference Solver One', 'normal', null],
      ['Reference Solver Two', 'normal', null],
    ],
  )
  const { intent, tokens } = Network.parse(sandbox.network)
  assert.deepEqual(
    intent?.solvers,
    description.solvers.map(({ name, address }) => ({ name, address })),
  )
  const keeper = privateKeyToAddress(sandbox.keeperPrivateKey)
  for (const chain of description.chains) {
    const quotable = tokens.filter((token) => token.intent && token.chainId === chain.chainId)
    assert.deepEqual(
      quotable.map(({ symbol }) => symbol.replace('axl', '')),
      ['ETH', 'USDC', 'WETH', 'HBR', 'USDT'],
    )
    for (const { address, decimals } of quotable)
      for (const solver of description.solvers) {
        const balance = await balanceOf(chain, Address.parse(address), solver.address)
        assert.ok(balance / 10n ** BigInt(decimals) >= 99_999n)
      }
    assert.ok((await balanceOf(chain, zeroAddress, keeper)) > 10n ** 18n)
  }
})

test('the faucet pays the exact amount of every token on every chain', async () => {
  const address = '0x00000000000000000000000000000000000000A1'
  const given = description.chains.flatMap((chain) =>
    tokensOn(chain).map(async ({ address: token }) => {
      const before = await balanceOf(chain, token, address)
      const answer = await call('/sandbox/faucet', { chainId: chain.chainId, token, address, amount: '1234' })
      assert.deepEqual(answer, {})
      return (await balanceOf(chain, token, address)) - before
    }),
  )
  for (const amount of await Promise.all(given)) assert.equal(amount, 1234n)
})

test('every control answers a malformed body with an error of the closed list', async () => {
  const { chainId } = chainAt(0)
  const fund = { chainId, token: zeroAddress, address: '0x00000000000000000000000000000000000000A1' }
  const bad: readonly (readonly [string, unknown, string])[] = [
    ['/sandbox/faucet', { ...fund, amount: '0' }, 'INVALID_REQUEST'],
    ['/sandbox/faucet', { ...fund, amount: 5 }, 'INVALID_REQUEST'],
    ['/sandbox/faucet', { ...fund, amount: '5', more: 1 }, 'INVALID_REQUEST'],
    ['/sandbox/faucet', { ...fund, amount: '5', address: '0xa1' }, 'INVALID_REQUEST'],
    ['/sandbox/faucet', { ...fund, amount: '5', chainId: 'eip155:1' }, 'UNSUPPORTED_CHAIN'],
    ['/sandbox/faucet', { ...fund, amount: '5', token: fund.address }, 'UNSUPPORTED_TOKEN'],
    ['/sandbox/faucet', { ...fund, amount: '9'.repeat(40) }, 'AMOUNT_OUT_OF_RANGE'],
    ['/sandbox/faucet', { ...fund, amount: '5', address: chainAt(0).contracts.gateway }, 'INVALID_REQUEST'],
    ['/sandbox/faucet', undefined, 'INVALID_REQUEST'],
    ['/sandbox/relayer', { paused: 'yes' }, 'INVALID_REQUEST'],
    ['/sandbox/relayer', { express: 'yes' }, 'INVALID_REQUEST'],
    ['/sandbox/reorg', { chainId, depth: 0 }, 'INVALID_REQUEST'],
    ['/sandbox/reorg', { chainId, depth: 65 }, 'INVALID_REQUEST'],
    ['/sandbox/reorg', { chainId: 'eip155:1', depth: 1 }, 'UNSUPPORTED_CHAIN'],
    ['/sandbox/rpc', { chainId }, 'INVALID_REQUEST'],
    ['/sandbox/solver', { mode: 'asleep' }, 'INVALID_REQUEST'],
    ['/sandbox/solver', {}, 'INVALID_REQUEST'],
  ]
  for (const [path, body, code] of bad)
    await assert.rejects(call(path, body), (error) => error instanceof RfqError && error.code === code)
})

test('an amount above the funds of a faucet is refused with the most that it gives', async () => {
  const address = '0x00000000000000000000000000000000000000A1'
  for (const { address: token } of tokensOn(chainAt(0)))
    await assert.rejects(
      call('/sandbox/faucet', { chainId: chainAt(0).chainId, token, address, amount: '9'.repeat(40) }),
      (error) =>
        error instanceof RfqError &&
        error.code === 'AMOUNT_OUT_OF_RANGE' &&
        /^[1-9]\d*$/.test(String(error.details['maximum'])),
    )
})

test('a reorg drops the last blocks with their transactions and keeps the clock', async () => {
  const chain = chainAt(1)
  const client = clientOf(chain)
  const address = '0x00000000000000000000000000000000000000b2'
  const fund = { chainId: chain.chainId, token: zeroAddress, address, amount: '7' }
  await call('/sandbox/faucet', fund)
  const head = await client.getBlock()
  assert.deepEqual(await call('/sandbox/reorg', { chainId: chain.chainId, depth: 64 }), {})
  assert.equal(await client.getBalance({ address }), 0n)
  const replaced = await client.getBlock({ blockNumber: head.number })
  assert.notEqual(replaced.hash, head.hash)
  const from = Date.now() / 1000
  await call('/sandbox/faucet', fund)
  assert.equal(await client.getBalance({ address }), 7n)
  const { timestamp } = await client.getBlock()
  const to = Date.now() / 1000
  const isKept = Number(timestamp) > from - 3 && Number(timestamp) < to + 3
  assert.ok(isKept, `the chain's clock says ${timestamp}, from ${from} to ${to}`)
})

test('a transaction is mined at once and gets two confirmations without further transactions', async () => {
  const chain = chainAt(2)
  const client = clientOf(chain)
  const address = '0x00000000000000000000000000000000000000C3'
  await call('/sandbox/faucet', { chainId: chain.chainId, token: zeroAddress, address, amount: '1' })
  const mined = await client.getBlockNumber()
  await eventually('two confirmations', async () => (await client.getBlockNumber()) >= mined + 2n)
})

test("switching a chain's RPC off affects the service alone, until it is switched on again", async () => {
  const chain = chainAt(2)
  const network = Network.parse(sandbox.network)
  const rpcUrl = network.chains.find(({ chainId }) => chainId === chain.chainId)?.rpcUrls[0] ?? ''
  const service = clientOf({ rpcUrl })
  await service.getBlockNumber()
  await call('/sandbox/rpc', { chainId: chain.chainId, up: false })
  await assert.rejects(service.getBlockNumber())
  await clientOf(chain).getBlockNumber()
  await call('/sandbox/rpc', { chainId: chain.chainId, up: true })
  assert.ok((await service.getBlockNumber()) > 0n)
})
