import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { KEEPER } from '@openrfq/sandbox/src/keys.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { eventually } from '../../../test/eventually.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { EvmPrivateKey } from '../../core/evm-private-key.ts'
import { Network } from '../../core/network.ts'
import { systemClock } from '../../lib/clock.ts'
import { addressOfKey } from '../../transactions/signer.ts'
import { check } from './check.ts'
import type { Finding } from './finding.ts'

const folder = mkdtempSync(join(tmpdir(), 'rfq-check-'))
let sandbox: Awaited<ReturnType<typeof startSandbox>>

before(async () => {
  sandbox = await startSandbox({
    log: () => undefined,
    now: Date.now,
    withPaymentChains: false,
    endpointSeed: undefined,
    blockMs: QUICK_BLOCK_MS,
  })
})
after(async () => {
  await sandbox.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Written = ReturnType<typeof copyOfNetwork>

const copyOfNetwork = () => {
  const network = structuredClone(Network.parse(sandbox.network))
  for (const token of network.tokens) token.usdPrice ??= '1'
  return network
}

/** Checks the sandbox's network after a change of its file. */
const checkAfter = (
  change: (network: Written) => void,
  { isOffline = false, environment = {} }: { isOffline?: boolean; environment?: Record<string, string> } = {},
): Promise<readonly Finding[]> => {
  const network = copyOfNetwork()
  change(network)
  const file = join(folder, 'network.json')
  writeFileSync(file, JSON.stringify(network))
  return check(
    {
      RFQ_CONFIG: file,
      DATA_DIR: join(folder, 'none'),
      KEEPER_PRIVATE_KEY: KEEPER.privateKey,
      ...environment,
    },
    { isOffline, clock: systemClock },
  )
}

const errorsIn = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ level }) => level === 'error').map(({ subject, says }) => `${subject}: ${says}`)

const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items
  assert.ok(item !== undefined)
  return item
}

test('a true file has no errors, online and offline', async () => {
  // The chains of a sandbox that has just started may still have the snapshot's block times.
  const findings = await eventually('all lines are good', async () => {
    const seen = await checkAfter(() => undefined)
    return errorsIn(seen).length === 0 && seen
  })
  const told = findings.map(({ level, subject, says }) => `${level} ${subject}: ${says}`).join('\n')
  for (const line of [
    /^ok chain eip155:31337 endpoint 0 \(127\.0\.0\.1:\d+\): the right chain, head \d+ s old$/m,
    /^ok chain eip155:31337 gas: a plain transfer uses 21000, as the file has it$/m,
    /^ok chain eip155:31337 contracts: \d+ contracts have code$/m,
    /^ok chain eip155:31338 axelar\.name: is \S+, as axelar\.its confirms$/m,
    /^ok chain eip155:31338 axelar\.its: trusts 2 chains$/m,
    /^ok chain eip155:31339 intent\.settler: confirms the network file, proof window 5 s$/m,
    /^ok chain eip155:31337 tokens: (\d+) of \1 are as the file says$/m,
    /^ok chain eip155:31337 keeper: holds \d+ base units of ETH$/m,
    /^ok axelar hub: (\d+) of \1 interchain tokens are there as the file says$/m,
    /^ok database: DATA_DIR \S+ will be created$/m,
  ])
    assert.match(told, line)
  assert.deepEqual(errorsIn(await checkAfter(() => undefined, { isOffline: true })), [])
})

/** Forces a state of Axelar in the sandbox. */
const force = (body: object) => sandbox.endpoints.find(({ path }) => path === '/sandbox/axelar')?.handle(body)

test("what Axelar's hub refuses is named by row, and what only it lacks by its place", async () => {
  const place = { chain: 'eip155:31338', token: 'HBR' }
  for (const [state, line] of [
    [{ state: 'hub_disabled' }, /^error axelar hub: it or the router carries nothing now/m],
    [{ state: 'hub_frozen', chain: place.chain }, /^error axelar hub chain sandbox-b: .* frozen/m],
    [
      { state: 'not_on_hub', ...place },
      /^error token HBR 0x\w+ on eip155:31338: its: Axelar's hub does not have/m,
    ],
    [
      { state: 'other_decimals', ...place },
      /^error token HBR 0x\w+ on eip155:31338: its: Axelar's hub counts it with 19 decimals, not 18/m,
    ],
    [
      { state: 'supply_short', ...place },
      /^warning token HBR 0x\w+ on eip155:31338: its: Axelar's hub has brought none of it here/m,
    ],
  ] as const) {
    await force(state)
    const told = (await checkAfter(() => undefined)).map(
      ({ level, subject, says }) => `${level} ${subject}: ${says}`,
    )
    assert.match(told.join('\n'), line)
    await force({ state: 'hub_normal' })
  }
  const missing = await checkAfter(({ axelar }) => {
    if (axelar !== undefined) delete axelar.routerAddress
  })
  assert.match(
    errorsIn(missing).join('\n'),
    /^axelar hub: name axelar\.routerAddress and axelar\.gatewayAddress/m,
  )
})

const itsToken = (network: Written) =>
  first(network.tokens.filter(({ its, chainId }) => its !== undefined && chainId === 'eip155:31337'))
const gatewayToken = (network: Written) =>
  first(network.tokens.filter(({ gateway, chainId }) => gateway !== undefined && chainId === 'eip155:31337'))
const axelarOf = (network: Written) => {
  const { axelar } = first(network.chains)
  assert.ok(axelar !== undefined)
  return axelar
}
const NOWHERE = `0x${'de'.repeat(20)}`
const expressOf = (network: Written) => {
  const { express } = first(network.chains)
  assert.ok(express !== undefined)
  return express
}
/** Writes another fact of the first chain's router than it was deployed with. */
const changeFact = (
  network: Written,
  fact: 'gateway' | 'gasService' | 'chainName' | 'swapFactory' | 'wrappedNative',
): void => {
  const { exchange } = first(network.chains)
  const axelar = axelarOf(network)
  assert.ok(exchange !== undefined)
  if (fact === 'chainName') axelar.name = 'nowhere'
  else if (fact === 'swapFactory') exchange.factory = exchange.wrappedNative
  else if (fact === 'wrappedNative') exchange.wrappedNative = exchange.factory
  else axelar[fact] = fact === 'gateway' ? axelar.gasService : axelar.gateway
}

for (const [lie, change, error] of [
  [
    'decimals that the token does not have',
    (network: Written) => {
      itsToken(network).decimals += 1
    },
    /^token \S+ 0x\w+ on eip155:31337: decimals: it has \d+, not \d+; correct the file/,
  ],
  [
    'the id of another token',
    (network: Written) => {
      const { its } = itsToken(network)
      assert.ok(its !== undefined)
      its.tokenId = `0x${'7'.repeat(64)}`
    },
    /its\.tokenId: it has no token manager; correct it$/,
  ],
  [
    'a further id without a token manager',
    (network: Written) => {
      const { its } = itsToken(network)
      assert.ok(its !== undefined)
      its.otherTokenIds = [`0x${'7'.repeat(64)}`]
    },
    /its\.otherTokenIds\[0\]: it has no token manager; correct it$/,
  ],
  [
    'a gateway symbol that the gateway does not know',
    (network: Written) => {
      const { gateway } = gatewayToken(network)
      assert.ok(gateway !== undefined)
      gateway.symbol = 'NONE'
    },
    /gateway\.symbol: the gateway knows NONE as 0x0+; correct it$/,
  ],
  [
    'an address without a token',
    (network: Written) => {
      gatewayToken(network).address = NOWHERE
    },
    /it has no decimals\(\): is this address the token\?$/,
  ],
  [
    'a contract without code',
    (network: Written) => {
      axelarOf(network).gasService = NOWHERE
    },
    /^chain eip155:31337 contracts: axelar\.gasService: 0x(de)+ has no code on this chain/,
  ],
  [
    'a name that Axelar does not know the chain by',
    (network: Written) => {
      axelarOf(network).name = 'nowhere'
    },
    /^chain eip155:31338 axelar\.its: does not trust nowhere: correct axelar\.name there/,
  ],
  [
    'a name in another case than Axelar spells it',
    (network: Written) => {
      axelarOf(network).name = axelarOf(network).name.toUpperCase()
    },
    /^chain eip155:31337 axelar\.name: axelar\.its knows its chain by another name than "[A-Z-]+": correct it, case included$/,
  ],
  [
    'another settler than on the other chains',
    (network: Written) => {
      first(network.chains).intent = { settler: NOWHERE }
    },
    /^chain eip155:31338 intent\.settler: it has another address on eip155:31337: no intents are quoted between the two$/,
  ],
  [
    'a name that the settler was not deployed with',
    (network: Written) => {
      axelarOf(network).name = 'nowhere'
    },
    /^chain eip155:31337 intent\.settler: it does not know its chain as nowhere: correct axelar\.name or the address$/,
  ],
  [
    'a gateway that the settler was not deployed with',
    (network: Written) => {
      axelarOf(network).gateway = axelarOf(network).gasService
    },
    /^chain eip155:31337 intent\.settler: its gateway is 0x\w+, not 0x\w+$/,
  ],
  [
    'a gas service that the settler was not deployed with',
    (network: Written) => {
      axelarOf(network).gasService = axelarOf(network).gateway
    },
    /^chain eip155:31337 intent\.settler: its gas service is 0x\w+, not 0x\w+$/,
  ],
  ...(['gateway', 'gasService', 'chainName', 'swapFactory', 'wrappedNative'] as const).map(
    (fact) =>
      [
        `the ${fact} that the router was not deployed with`,
        (network: Written) => changeFact(network, fact),
        new RegExp(`^chain eip155:31337 express\\.router: its ${fact} is not the network file's`),
      ] as const,
  ),
  [
    'another router than on the other chains',
    (network: Written) => {
      first(network.chains).express = { ...expressOf(network), router: NOWHERE }
    },
    /^chain eip155:31338 express\.router: it does not trust 0x(de)+ of eip155:31337, which has another address; not quoted$/,
  ],
  [
    'refunds before the proof window ends',
    (network: Written) => {
      assert.ok(network.intent !== undefined)
      network.intent.refundDelaySeconds = 1
    },
    /intent\.settler: its proof window is \d+ s: raise intent\.refundDelaySeconds$/,
  ],
  [
    'the endpoint of another chain',
    (network: Written) => {
      const [one, other] = network.chains
      assert.ok(one !== undefined && other !== undefined)
      one.rpcUrls = other.rpcUrls
    },
    /^chain eip155:31337: no endpoint can be used/,
  ],
  [
    'an endpoint where nothing listens',
    (network: Written) => {
      first(network.chains).rpcUrls = ['http://127.0.0.1:1']
    },
    /^chain eip155:31337: no endpoint can be used/,
  ],
] as const)
  test(`an error names ${lie}`, async () => {
    const errors = errorsIn(await checkAfter(change))
    assert.ok(
      errors.some((line) => error.test(line)),
      errors.join('\n'),
    )
  })

test('an endpoint whose head is old or ahead of the clock is an error', async (t) => {
  const { rpcUrls } = first(copyOfNetwork().chains)
  let shiftSeconds = 0
  const lie: Lie = ({ method }, result) => {
    if (method !== 'eth_getBlockByNumber' || typeof result !== 'object' || result === null) return result
    return { ...result, timestamp: `0x${(Math.floor(Date.now() / 1000) + shiftSeconds).toString(16)}` }
  }
  const node = await startLyingNode(first(rpcUrls), () => lie)
  t.after(node.stop)
  for (const [shift, told] of [
    [-3600, /endpoint 0 \(\S+\): its head is 3[56]\d\d s old: the node is behind/],
    [3600, /endpoint 0 \(\S+\): its head is 3[56]\d\d s ahead of this machine's clock: set the clock/],
  ] as const) {
    shiftSeconds = shift
    const errors = errorsIn(
      await checkAfter((network) => {
        first(network.chains).rpcUrls = [node.url]
      }),
    )
    assert.ok(
      errors.some((line) => told.test(line)),
      errors.join('\n'),
    )
  }
})

test('a symbol that its contract does not have is a warning, except the mark of a bridged token', async () => {
  const symbolWarnings = async (bridged: boolean): Promise<readonly string[]> => {
    const findings = await checkAfter((network) => {
      const token = first(network.tokens.filter(({ symbol }) => symbol === 'USDC'))
      Object.assign(token, { symbol: 'USDC.axl', bridged })
    })
    return findings.filter(({ says }) => says.startsWith('symbol: ')).map(({ says }) => says)
  }
  assert.deepEqual(await symbolWarnings(false), ['symbol: it calls itself "USDC"'])
  assert.deepEqual(await symbolWarnings(true), [])
})

test('an opener is compared with what one opening and those of a day may cost', async () => {
  const lineAt = async (costCap: string, dailyCostCap: string): Promise<string> => {
    const findings = await checkAfter(
      (network) => {
        const { intent } = first(network.chains)
        assert.ok(intent !== undefined)
        intent.opening = { costCap, dailyCostCap, dailyOrders: 10, permit2: false }
      },
      { environment: { KEEPER_PRIVATE_KEY: '', OPENER_PRIVATE_KEY: KEEPER.privateKey } },
    )
    const { level, subject, says } = first(findings.filter((one) => one.subject.endsWith(' opener')))
    return `${level} ${subject}: ${says}`
  }
  const much = (10n ** 40n).toString()
  assert.match(await lineAt('1', '2'), /^ok chain eip155:31337 opener: 0x\w+ holds \d+ base units of ETH$/)
  assert.match(await lineAt('1', much), /^warning .* less than the 10+ of a day: send it gas$/)
  assert.match(
    await lineAt(much, much),
    /^error .* less than one opening may cost: send it gas, or it opens none$/,
  )
})

test('a keeper with gas for few refunds is a warning with the amount that is needed', async () => {
  const privateKey = `0x${'5a'.repeat(32)}` as const
  const [url = ''] = first(copyOfNetwork().chains).rpcUrls
  /** Waits for the block from which a check reads the balance. */
  const hold = async (amount: bigint, line: RegExp): Promise<string> => {
    const params = [addressOfKey(EvmPrivateKey.parse(privateKey)), `0x${amount.toString(16)}`]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params })
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return eventually(`a line is like ${line}`, async () => {
      const findings = await checkAfter(() => undefined, { environment: { KEEPER_PRIVATE_KEY: privateKey } })
      const keeper = first(findings.filter(({ subject }) => subject === 'chain eip155:31337 keeper'))
      const told = `${keeper.level} ${keeper.says}`
      return line.test(told) && told
    })
  }
  await hold(0n, /^error 0x\w+ holds no ETH: send it gas, or refunds wait$/)
  const low = await hold(
    1_000n,
    /^warning 0x\w+ holds 1000 base units of ETH, less than the \d+ that 10 refunds may cost: send it gas$/,
  )
  const needed = BigInt(/the (\d+) that/.exec(low)?.[1] ?? 0)
  await hold(needed * 10n, /^ok holds \d+ base units of ETH$/)
})

test('every mistake of a file is named at once with its place, in the file that has it', async () => {
  const overlay = join(folder, 'overlay.json')
  writeFileSync(overlay, JSON.stringify({ chains: [{ chainId: 'eip155:31338', finality: 'soon' }] }))
  const spoil = (network: Written): void => {
    first(network.chains).chainLabel = ''
    for (const token of network.tokens.slice(0, 6)) token.decimals = 99
  }
  const environment = { RFQ_OVERLAY: overlay }
  const errors = errorsIn(await checkAfter(spoil, { isOffline: true, environment }))
  assert.equal(errors.length, 8)
  assert.match(errors.join('\n'), /^RFQ_CONFIG \S+network\.json: chains\.0\.chainLabel: /m)
  assert.match(errors.join('\n'), /^RFQ_CONFIG \S+network\.json: tokens\.5\.decimals: /m)
  assert.match(errors.join('\n'), /^RFQ_OVERLAY \S+overlay\.json: chains\.0\.finality: /m)
  const double = errorsIn(
    await checkAfter(
      (network) => {
        network.tokens.push(first(network.tokens), { ...first(network.tokens), address: '0x12' })
      },
      { isOffline: true },
    ),
  )
  assert.deepEqual(
    double.map((line) => /tokens\.\d+/.exec(line)?.[0]),
    [`tokens.${copyOfNetwork().tokens.length + 1}`, `tokens.${copyOfNetwork().tokens.length}`],
  )
})

test('a file that serves nothing is an error, and one without prices a warning', async () => {
  const findings = await checkAfter(
    (network) => {
      network.tokens = network.tokens.slice(0, 1).map(({ usdPrice: _, ...token }) => token)
      network.intent = undefined
    },
    { isOffline: true, environment: { KEEPER_PRIVATE_KEY: '' } },
  )
  assert.match(first(errorsIn(findings)), /serves nothing: no token has the same its\.tokenId/)
  const warnings = findings.filter(({ level }) => level === 'warning').map(({ subject }) => subject)
  assert.ok(warnings.includes('KEEPER_PRIVATE_KEY'))
  assert.ok(findings.some(({ says }) => says.startsWith('1 of 1 tokens have no source of a price')))
})
