import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { registrySources } from '../../test/registry-sources.ts'
import { tokenIdsOf } from '../core/interchain-token.ts'
import { networkChanges } from './network-changes.ts'
import { networkText } from './network-text.ts'
import { AxelarNetwork } from './sources.ts'
import { syncNetwork } from './sync-network.ts'

const NETWORKS = join(import.meta.dirname, '../../../../networks')
const NONE: ReadonlySet<string> = new Set()

test('the committed network files are generated from their sources byte for byte', async () => {
  for (const network of AxelarNetwork.options) {
    const { file } = syncNetwork(await registrySources(network), NONE)
    assert.equal(networkText(file), readFileSync(join(NETWORKS, `${network}.json`), 'utf8'))
    assert.equal(file.chains.length, 26)
  }
})

test('every row of the registry is in the file or left out with a reason', async () => {
  const sources = await registrySources('mainnet')
  const { file, leftOut } = syncNetwork(sources, NONE)
  const rows = Object.values(sources.registry.tokens).flatMap(({ chains }) => chains).length
  const moved = file.tokens.flatMap(tokenIdsOf)
  const counts = new Map(
    [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([why, all]) => [why, all.length]),
  )
  const wholeTokens = leftOut.filter(({ reason }) => reason.startsWith('the token id'))
  const rowsOfWholeTokens = Object.values(sources.registry.tokens)
    .filter(({ prettySymbol }) => wholeTokens.some(({ entry }) => entry === prettySymbol))
    .flatMap(({ chains }) => chains).length
  const rowsLeftOut = leftOut.filter(({ entry }) => / on [a-z-]+( |$)/.test(entry)).length
  assert.equal(moved.length + rowsLeftOut + rowsOfWholeTokens, rows)
  assert.equal(moved.length, 532)
  assert.deepEqual(
    [counts.get('the file has no chain xrpl'), counts.get('the file has no chain sui')],
    [17, 4],
  )
  assert.deepEqual(
    leftOut.filter(({ entry }) => entry === 'XRP on xrpl-evm' || / on hedera( |$)/.test(entry)),
    [],
  )
  assert.deepEqual(
    leftOut.filter(({ reason }) => /other token id/.test(reason)),
    [],
  )
})

test('tokens of Solana and Stellar have what their family needs: program, decimals that the hub leaves, issuer', async () => {
  const { file } = syncNetwork(await registrySources('mainnet'), NONE)
  const rowsOf = (family: string) =>
    file.tokens
      .filter(({ chainId, its }) => chainId.startsWith(family) && its !== undefined)
      .map(({ symbol, decimals, splProgram, stellar }) => [symbol, decimals, splProgram ?? stellar?.code])
  assert.deepEqual(rowsOf('solana:'), [
    ['SHX', 6, 'token-2022'],
    ['DT0', 6, 'token-2022'],
    ['SAUCE', 6, 'token-2022'],
    ['SOL', 9, undefined],
  ])
  assert.deepEqual(rowsOf('stellar:'), [
    ['XLM', 7, undefined],
    ['xSolvBTC', 18, undefined],
    ['solvBTC', 18, undefined],
    ['DT0', 18, undefined],
    ['SHX', 7, 'SHX'],
    ['USDC.axl', 6, undefined],
  ])
  for (const network of AxelarNetwork.options) {
    const { chains } = syncNetwork(await registrySources(network), NONE).file
    const receivers = chains.filter(({ tokenReceiver }) => tokenReceiver !== undefined)
    assert.deepEqual(
      receivers.map(({ tokenReceiver, chainType }) => [
        chainType,
        tokenReceiver?.maxUintBits,
        tokenReceiver?.gasService === undefined,
      ]),
      [
        ['solana', 64, false],
        ['stellar', 127, true],
      ],
    )
  }
})

test('Hedera has its thirteen tokens, its two scales and what its tokens need, and XRP moves between it and XRPL EVM', async () => {
  for (const [network, chainId, count] of [
    ['mainnet', 'eip155:295', 13],
    ['testnet', 'eip155:296', 0],
  ] as const) {
    const { file } = syncNetwork(await registrySources(network), NONE)
    const chain = file.chains.find((one) => one.chainId === chainId)
    assert.deepEqual(chain?.nativeToken, { symbol: 'HBAR', decimals: 8, valueDecimals: 18 })
    assert.deepEqual([chain?.gasScale, chain?.tokenStandard, chain?.axelar?.maxUintBits], [16, 'hts', 64])
    const tokens = file.tokens.filter((token) => token.chainId === chainId && token.its !== undefined)
    assert.equal(tokens.length, count)
    // No other chain has two scales or tokens of that service.
    const others = file.chains.filter((one) => one.chainId !== chainId)
    assert.ok(
      others.every(
        ({ nativeToken, tokenStandard }) => (nativeToken.valueDecimals ?? tokenStandard) === undefined,
      ),
    )
  }
  const { file } = syncNetwork(await registrySources('mainnet'), NONE)
  const xrp = file.tokens.filter(({ its }) => its?.tokenId.startsWith('0xba5a21ca') === true)
  assert.deepEqual(
    xrp.map(({ chainId, symbol, decimals, its }) => [chainId, symbol, decimals, its?.contract !== undefined]),
    [
      ['eip155:295', 'wXRP', 6, false],
      ['eip155:1440000', 'XRP', 18, true],
    ],
  )
})

test('two token ids of one address are both in the file, each with the chains that it has', async () => {
  const { file } = syncNetwork(await registrySources('mainnet'), NONE)
  const rowsOf = (symbol: string) =>
    file.tokens
      .filter((token) => token.symbol === symbol && token.its !== undefined)
      .map((token) => [token.chainId, tokenIdsOf(token).map((id) => id.slice(0, 10))])
  assert.deepEqual(rowsOf('USDX'), [
    ['eip155:1', ['0x8d803501']],
    ['eip155:56', ['0x8d803501', '0x1026c0f2']],
    ['eip155:8453', ['0x1026c0f2']],
    ['eip155:42161', ['0x8d803501']],
  ])
  assert.deepEqual(rowsOf('mXRP'), [
    ['eip155:56', ['0x18094f55']],
    ['eip155:1440000', ['0x18094f55']],
  ])
})

test('the native asset is in the file with the ERC-20 of its chain where another chain has the id', async () => {
  const sources = await registrySources('mainnet')
  const xrp = Object.values(sources.registry.tokens).find(({ chains }) =>
    chains.some(({ tokenAddress }) => /^0xe{40}$/i.test(tokenAddress)),
  )
  assert.ok(xrp !== undefined)
  const onBinance = {
    axelarChainId: 'binance',
    tokenAddress: `0x${'7'.repeat(40)}`,
    symbol: 'XRP',
    name: 'XRP',
  }
  const withRow = (change: object) => ({
    ...sources,
    registry: {
      tokens: {
        [xrp.tokenId]: {
          ...xrp,
          chains: [...xrp.chains.map((row) => ({ ...row, ...change })), { ...onBinance, decimals: 18 }],
        },
      },
    },
  })
  const natives = (change: object) =>
    syncNetwork(withRow(change), NONE).file.tokens.filter(
      ({ chainId, its }) => chainId === 'eip155:1440000' && its !== undefined,
    )
  const [native] = natives({})
  assert.equal(native?.address, `0x${'0'.repeat(40)}`)
  assert.equal(native?.its?.contract?.toLowerCase(), `0x${'e'.repeat(40)}`)
  assert.equal(native?.decimals, 18)
  // Gas is priced by the native asset, so that the registry's word prices it in nothing.
  assert.deepEqual([native?.coinGeckoId, native?.logoUrl], [undefined, undefined])
  assert.deepEqual(natives({ decimals: 6 }), [])
})

test('names that the registry writes in two cases are one chain', async () => {
  const { file } = syncNetwork(await registrySources('mainnet'), NONE)
  const onEthereum = file.tokens.filter(({ chainId, its }) => chainId === 'eip155:1' && its !== undefined)
  assert.equal(onEthereum.length, 95)
})

test('a token whose id was altered is left out, and one whose id cannot be recomputed is not verified', async () => {
  const sources = await registrySources('mainnet')
  const rmrk = Object.values(sources.registry.tokens).find(({ prettySymbol }) => prettySymbol === 'RMRK')
  assert.ok(rmrk !== undefined)
  const altered = `${rmrk.tokenId.slice(0, -1)}${rmrk.tokenId.endsWith('0') ? '1' : '0'}`
  const registryWith = (change: Partial<typeof rmrk>) => ({
    ...sources,
    registry: { tokens: { [altered]: { ...rmrk, tokenId: altered, ...change } } },
  })
  const lie = syncNetwork(registryWith({}), NONE)
  assert.deepEqual(
    lie.leftOut.filter(({ entry }) => entry === 'RMRK'),
    [{ entry: 'RMRK', reason: "the token id does not follow from the registry's fields" }],
  )
  const unknown = syncNetwork(registryWith({ deploySalt: '0x' }), NONE).file.tokens.filter(
    ({ its }) => its !== undefined,
  )
  assert.deepEqual([unknown.length, unknown.some(({ verified }) => verified)], [5, false])
})

test('of two entries with one chain id the newer is taken', async () => {
  const { file, leftOut } = syncNetwork(await registrySources('testnet'), NONE)
  const nameOf = (wanted: string) => file.chains.find(({ chainId }) => chainId === wanted)?.axelar?.name
  assert.equal(nameOf('eip155:10143'), 'monad-3')
  assert.equal(nameOf('eip155:11155111'), 'ethereum-sepolia')
  assert.ok(
    leftOut.some(({ entry, reason }) => entry === 'chain monad' && /monad-3 is the newer/.test(reason)),
  )
})

test("endpoints whose address holds somebody's key are not taken", async () => {
  for (const network of AxelarNetwork.options) {
    const { file } = syncNetwork(await registrySources(network), NONE)
    for (const { rpcUrls } of file.chains) assert.doesNotMatch(rpcUrls.join(' '), /infura|apikey|owlracle/)
  }
})

test('names chains on which one operator has a majority of the endpoints', async () => {
  const ofOneOperator = async (network: AxelarNetwork): Promise<readonly string[]> =>
    syncNetwork(await registrySources(network), NONE).ofOneOperator
  assert.deepEqual(await ofOneOperator('mainnet'), [])
  assert.deepEqual(await ofOneOperator('testnet'), [])
  const sources = await registrySources('mainnet')
  const chains = Object.fromEntries(
    Object.entries(sources.config.chains).map(([key, chain]) => [
      key,
      key === 'celo' ? { ...chain, rpc: 'https://one.celo.example' } : chain,
    ]),
  )
  const celo = { endpoints: { rpc: ['https://two.celo.example', 'https://three.celo.example'] } }
  const altered = {
    ...sources,
    config: { ...sources.config, chains },
    chains: { ...sources.chains, evm: { ...sources.chains.evm, celo } },
    chainList: [],
  }
  assert.ok(syncNetwork(altered, NONE).ofOneOperator.includes('Celo (celo.example)'))
})

test('chains that have ended are left out, each with its reason', async () => {
  const ended = async (network: AxelarNetwork) => {
    const { file, leftOut } = syncNetwork(await registrySources(network), NONE)
    assert.ok(file.chains.every(({ chainLabel }) => !/fantom|centrifuge/i.test(chainLabel)))
    return leftOut.filter(({ entry }) => /^chain (fantom|centrifuge)/i.test(entry))
  }
  assert.deepEqual(await ended('mainnet'), [
    { entry: 'chain Fantom', reason: 'Fantom Opera was shut down on 2026-06-30' },
    { entry: 'chain centrifuge', reason: 'Axelar is deprecating Centrifuge, which has no token service' },
  ])
  assert.deepEqual(await ended('testnet'), [
    { entry: 'chain Fantom', reason: "Fantom's test network no longer answers" },
    { entry: 'chain centrifuge-2', reason: 'Axelar is deprecating Centrifuge, which has no token service' },
  ])
})

test("our own table decides when a block is final, and Axelar's number only raises it", async () => {
  const sources = await registrySources('mainnet')
  const finalityWith = (finality: Readonly<Record<string, string>>) => {
    const chains = Object.fromEntries(
      Object.entries(sources.config.chains).map(([key, chain]) => [
        key,
        { ...chain, finality: finality[key] ?? chain.finality },
      ]),
    )
    const { file } = syncNetwork({ ...sources, config: { ...sources.config, chains } }, NONE)
    const numbers = file.chains.filter(({ finality }) => finality !== 'finalized')
    return Object.fromEntries(numbers.map(({ chainLabel, finality }) => [chainLabel, finality]))
  }
  // Celo is a rollup: Axelar's file has the number of its own validators' days.
  assert.deepEqual(finalityWith({}), { Immutable: 1, Linea: 400, Mantle: 9_000 })
  assert.deepEqual(finalityWith({ immutable: '12', linea: '3', mantle: 'finalized', base: '5' }), {
    Immutable: 12,
    Linea: 400,
    Mantle: 9_000,
  })
})

test("an interchain token that is another than its chain's of the same name is named as bridged", async () => {
  const { file } = syncNetwork(await registrySources('mainnet'), NONE)
  const rowsOf = (tokenId: string) =>
    file.tokens
      .filter(({ its }) => its?.tokenId.startsWith(tokenId) === true)
      .map(({ chainId, symbol, name, bridged, verified }) => [chainId, symbol, name, bridged, verified])
  assert.deepEqual(rowsOf('0xaab70a74'), [
    ['eip155:1', 'USDC', 'USD Coin', undefined, true],
    ['eip155:143', 'USDC.axl', 'USD Coin (Axelar)', true, true],
    ['eip155:295', 'USDC.axl', 'USD Coin (Axelar)', true, false],
    ['eip155:1440000', 'USDC.axl', 'USD Coin (Axelar)', true, true],
    ['stellar:pubnet', 'USDC.axl', 'USD Coin (Axelar)', true, false],
  ])
  assert.deepEqual(rowsOf('0x85d30971'), [
    ['eip155:1', 'LINK', 'ChainLink', undefined, true],
    ['eip155:295', 'LINK.axl', 'ChainLink (Axelar)', true, false],
  ])
})

test('the endpoints of a chain are in an order in which operators alternate', async () => {
  const { file } = syncNetwork(await registrySources('testnet'), NONE)
  const binance = file.chains.find(({ chainId }) => chainId === 'eip155:97')?.rpcUrls ?? []
  assert.deepEqual(
    binance.map((url) => new URL(url).hostname),
    [
      'bsc-testnet-rpc.publicnode.com',
      'data-seed-prebsc-1-s1.bnbchain.org',
      'bsc-testnet.blockpi.network',
      'bsc-testnet.drpc.org',
      'data-seed-prebsc-2-s1.bnbchain.org',
      'data-seed-prebsc-1-s2.bnbchain.org',
    ],
  )
})

test('a gateway asset that is asked for is on every chain whose gateway has it', async () => {
  const { file } = syncNetwork(await registrySources('mainnet'), new Set(['uusdc']))
  const sides = file.tokens.filter(({ gateway }) => gateway?.denom === 'uusdc')
  assert.equal(sides.length, 14)
  assert.equal(sides.find(({ chainId }) => chainId === 'eip155:1')?.gateway?.symbol, 'USDC')
  assert.equal(sides.find(({ chainId }) => chainId === 'eip155:43114')?.gateway?.symbol, 'axlUSDC')
})

test('a chain says how Axelar reads it, and an amplifier chain is left without gateway assets', async () => {
  const { config, ...sources } = await registrySources('mainnet')
  const typesOf = ({ file }: ReturnType<typeof syncNetwork>) =>
    new Map(file.chains.map(({ axelar }) => [axelar?.name, axelar?.connectionType]))
  const types = typesOf(syncNetwork({ config, ...sources }, NONE))
  assert.deepEqual(
    ['Ethereum', 'Avalanche', 'hedera', 'monad'].map((name) => types.get(name)),
    ['consensus', 'consensus', 'amplifier', 'amplifier'],
  )
  const { avalanche, ...others } = config.chains
  assert.ok(avalanche?.contracts.AxelarGateway)
  const gateway = { ...avalanche.contracts.AxelarGateway, connectionType: 'amplifier' as const }
  const moved = { ...avalanche, contracts: { ...avalanche.contracts, AxelarGateway: gateway } }
  const { file, leftOut } = syncNetwork(
    { ...sources, config: { ...config, chains: { ...others, avalanche: moved } } },
    new Set(['uusdc']),
  )
  assert.ok(file.tokens.every((token) => token.gateway === undefined || token.chainId !== 'eip155:43114'))
  assert.deepEqual(
    leftOut.filter(({ reason }) => reason === 'an amplifier chain has no gateway tokens'),
    [{ entry: 'axlUSDC on Avalanche', reason: 'an amplifier chain has no gateway tokens' }],
  )
})

test('changes name each entry that is added, removed or changed, and its changed members', async () => {
  const { file } = syncNetwork(await registrySources('testnet'), NONE)
  const written = JSON.parse(networkText(file))
  assert.deepEqual(networkChanges(written, file), [])
  const [first, second, ...others] = written.tokens
  const [chain, ...chains] = written.chains
  const old = {
    ...written,
    chains: [{ ...chain, finality: 7 }, ...chains],
    tokens: [
      { ...first, decimals: 1 },
      { ...second, address: `0x${'9'.repeat(40)}`, symbol: 'OLD' },
      ...others,
    ],
  }
  const changes = networkChanges(old, file).map(({ kind, entry, fields }) => [
    kind,
    entry.split(' ')[0],
    fields,
  ])
  assert.deepEqual(changes, [
    ['removed', 'token', []],
    ['changed', 'chain', ['finality']],
    ['changed', 'token', ['decimals']],
    ['added', 'token', []],
  ])
})

test('a change of a contract or an endpoint is told by its place, with what it was and is', async () => {
  const { file } = syncNetwork(await registrySources('testnet'), NONE)
  const written = JSON.parse(networkText(file))
  const index = file.chains.findIndex(({ axelar }) => axelar !== undefined)
  const chain = file.chains[index]
  const other = { ...chain?.axelar, gateway: `0x${'9'.repeat(40)}` }
  written.chains[index] = { ...written.chains[index], axelar: other, rpcUrls: ['https://one.example'] }
  const [change] = networkChanges(written, file)
  assert.deepEqual(change?.values, [
    { place: 'rpcUrls', before: ['https://one.example'], after: chain?.rpcUrls },
    { place: 'axelar.gateway', before: other.gateway, after: chain?.axelar?.gateway },
  ])
})
