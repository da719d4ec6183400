import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChainPlan } from '../../app/deploy/plan-deployment.ts'
import { ConfigError } from '../../core/config-error.ts'
import { isEvmAddress, isHash } from '../../core/hex.ts'
import type { Command, Context } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

const DEFAULT_SALT = 'OpenRFQ contracts 2'

const keyOf = ({ environment }: Context): `0x${string}` | undefined => {
  const key = environment['RFQ_DEPLOYER_KEY'] ?? ''
  if (key === '') return undefined
  const lower = key.toLowerCase()
  if (!isHash(lower))
    throw new UsageError('RFQ_DEPLOYER_KEY is no private key: expected 0x and 64 hex digits')
  return lower
}

const ownerOf = async (context: Context): Promise<`0x${string}`> => {
  const named = context.flags.text('owner')
  const key = keyOf(context)
  if (named === undefined && key === undefined)
    throw new UsageError('the contracts need an owner: set RFQ_DEPLOYER_KEY, or name a Safe with --owner')
  if (named === undefined && key !== undefined) {
    const { privateKeyToAddress } = await import('viem/accounts')
    return privateKeyToAddress(key)
  }
  if (named === undefined || !isEvmAddress(named)) throw new UsageError(`--owner ${named} is no EVM address`)
  return named
}

/** In wei. */
const maximumCostOf = ({ flags }: Context): bigint => {
  const text = flags.text('max-cost') ?? '1'
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === '') throw new UsageError(`--max-cost ${text} is no amount of the native asset`)
  return BigInt(whole + part.padEnd(18, '0'))
}

const linesOf = ({ chain, done, steps, problems }: ChainPlan): readonly string[] => [
  `${chain.chainId} (${chain.axelarName}), proof window ${chain.facts.proofWindow} s`,
  ...(chain.endpoints === 1 ? [`  warning  one endpoint only: no other confirms what it says`] : []),
  ...done.map((what) => `  stands   ${what}`),
  ...steps.map(({ what, address }) => `  deploy   ${what} at ${address}`),
  ...problems.map((problem) => `  problem  ${problem}`),
]

/** Deploys the contracts of an owner to the chains of a network. */
export const deployCommand: Command = {
  name: 'deploy',
  summary: 'plan, send and check the contracts on every chain of the network file; sends with --yes',
  flags: [
    { name: 'owner', value: 'address', help: 'who deploys; default the address of RFQ_DEPLOYER_KEY' },
    { name: 'salt', value: 'text', help: `tells families of one owner apart; default "${DEFAULT_SALT}"` },
    { name: 'chains', value: 'ids', help: 'chains between commas; default all with Axelar’s contracts' },
    { name: 'max-cost', value: 'amount', help: 'of one transaction, in the native asset; default 1' },
    { name: 'yes', help: 'send what is left, by the key in RFQ_DEPLOYER_KEY' },
    {
      name: 'safe-batches',
      value: 'folder',
      help: 'write what is left for the owner’s Safe, a file per chain',
    },
    { name: 'overlay', value: 'file', help: 'write the addresses of finished chains into this overlay' },
  ],
  example: 'deploy --chains eip155:10,eip155:8453',
  run: async (context) => {
    const { flags, json, terminal, environment, now, steady } = context
    const { planFamily, isComplete, ownerNotes, readDeployNetwork } = await import(
      '../../app/deploy/deploy.ts'
    )
    const network = readDeployNetwork(environment)
    const owner = await ownerOf(context)
    const wanted = new Set((flags.text('chains') ?? '').split(',').flatMap((one) => one.trim() || []))
    const plan = await planFamily(network, wanted, owner, flags.text('salt') ?? DEFAULT_SALT, { now, steady })
    const { family } = plan
    const notes = ownerNotes(owner, plan.plans)
    if (!json) {
      terminal.print(`owner ${owner}`, `factory ${family.factory}`)
      for (const { role, address } of family.contracts) terminal.print(`${role} ${address}`)
      for (const chain of plan.plans) terminal.print(...linesOf(chain))
      terminal.print(...notes.map((note) => `warning  ${note}`))
    }
    const folder = flags.text('safe-batches')
    if (folder !== undefined) await writeBatches(folder, plan.plans, owner)
    const sent: { readonly chainId: string; readonly what: string; readonly hash: string }[] = []
    if (flags.has('yes')) {
      const key = keyOf(context)
      if (key === undefined)
        throw new UsageError('--yes needs RFQ_DEPLOYER_KEY; for a Safe, use --safe-batches')
      await plan.send(key, maximumCostOf(context), (chainId, { step, hash }) => {
        sent.push({ chainId, what: step.what, hash })
        if (!json) terminal.print(`${chainId} deployed ${step.what} in ${hash}`)
      })
    }
    const overlay = flags.text('overlay')
    const isWritten = overlay !== undefined && (await plan.writeTo(overlay))
    const left = plan.plans.filter((chain) => !isComplete(chain))
    if (json)
      terminal.printJson({
        owner,
        factory: family.factory,
        contracts: family.contracts,
        plans: plan.plans,
        notes,
        sent,
        isWritten,
      })
    else terminal.print(outcomeOf(left.length, flags.has('yes'), isWritten))
    return plan.plans.some(({ problems }) => problems.length > 0) ? EXIT.failed : EXIT.done
  },
}

const writeBatches = async (
  folder: string,
  plans: readonly ChainPlan[],
  owner: `0x${string}`,
): Promise<void> => {
  const { safeBatch } = await import('../../app/deploy/send-steps.ts')
  await mkdir(folder, { recursive: true }).catch((cause) => {
    throw new ConfigError(`--safe-batches ${folder} cannot be written: ${cause.message}`, { cause })
  })
  for (const plan of plans)
    if (plan.steps.length > 0) {
      const file = join(folder, `${plan.chain.chainId.replace(':', '-')}.json`)
      await writeFile(file, `${JSON.stringify(safeBatch(plan, owner), null, 2)}\n`)
    }
}

const outcomeOf = (left: number, isSent: boolean, isWritten: boolean): string => {
  const wrote = isWritten ? '; the overlay is written' : ''
  if (left === 0) return `everything stands${wrote}`
  return isSent
    ? `sent; run again to check${wrote}`
    : `${left} chains are not finished: --yes sends what is left${wrote}`
}
