import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { z } from 'zod'
import { type Anvil, startAnvil } from './anvil.ts'
import { createDeployment } from './deploy/create-deployment.ts'
import { CHAIN_PLANS } from './deploy/plan.ts'
import { Deployment } from './deployment.ts'
import { postRpc } from './rpc-call.ts'

/** A stored deployment: its description, and each chain's anvil state (gzipped JSON) in the plan's order. */
export type Snapshot = { readonly deployment: Deployment; readonly states: readonly Buffer[] }

const FOLDER = join(import.meta.dirname, 'snapshot')
const DESCRIPTION = join(FOLDER, 'deployment.json')
const stateFile = (axelarName: string): string => join(FOLDER, `${axelarName}.json.gz`)

/** Long past, so that the build's mints and transfers do not count toward the limits of the current epoch. */
const BUILD_TIME_SECONDS = 1_735_689_600
/** Seconds between the build's blocks. Pools record timestamps, so two builds must use the same. */
const BLOCK_SECONDS = 1

/** Files that determine the build, without tests; their contents are hashed in the order of their paths. */
const INPUTS = [
  'sandbox/src/deploy/*.ts',
  'sandbox/src/keys.ts',
  'contracts/artifacts/*.json',
  'contracts/artifacts/factory/*.json',
  'contracts/artifacts/settlers/*.json',
  'contracts/artifacts/router/*.json',
]

const State = z.looseObject({
  best_block_number: z.int().positive(),
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.string() }) })),
})
const Description = z.object({ inputs: z.string(), deployment: Deployment })

const inputsHash = (): string => {
  const root = join(import.meta.dirname, '../..')
  const hash = createHash('sha256')
  const paths = INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root }))
  for (const path of paths.filter((path) => !path.endsWith('.test.ts')).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

/** Dumps the last block only: the contracts need no history, and deployment calldata is most of the size. */
const dump = async (anvil: Anvil): Promise<Buffer> => {
  const text = z.string().parse(await postRpc(anvil.rpcUrl, 'anvil_dumpState', []))
  const state = State.parse(JSON.parse(gunzipSync(Buffer.from(text.slice(2), 'hex')).toString('utf8')))
  const blocks = state.blocks.filter(({ header }) => Number(header.number) === state.best_block_number)
  return gzipSync(JSON.stringify({ ...state, blocks, transactions: [] }), { level: 9 })
}

/** Builds the deployment on temporary chains, in a few seconds. */
export const buildSnapshot = async (): Promise<Snapshot> => {
  const started = await Promise.allSettled(
    CHAIN_PLANS.map(({ chainNumber }) => startAnvil(chainNumber, ['--timestamp', `${BUILD_TIME_SECONDS}`])),
  )
  const anvils = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  try {
    const failure = started.find((result) => result.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    for (const { rpcUrl } of anvils) await postRpc(rpcUrl, 'anvil_setBlockTimestampInterval', [BLOCK_SECONDS])
    const deployment = await createDeployment(anvils.map(({ rpcUrl }) => rpcUrl))
    return { deployment, states: await Promise.all(anvils.map(dump)) }
  } finally {
    await Promise.all(anvils.map((anvil) => anvil.stop()))
  }
}

/** The committed snapshot; undefined when there is none or its sources have changed since. */
export const readSnapshot = (): Snapshot | undefined => {
  const files = CHAIN_PLANS.map(({ axelarName }) => stateFile(axelarName))
  if (![DESCRIPTION, ...files].every((path) => existsSync(path))) return undefined
  const { inputs, deployment } = Description.parse(JSON.parse(readFileSync(DESCRIPTION, 'utf8')))
  return inputs === inputsHash() ? { deployment, states: files.map((path) => readFileSync(path)) } : undefined
}

/** Writes the snapshot files, to be committed. */
export const writeSnapshot = ({ deployment, states }: Snapshot): void => {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(DESCRIPTION, `${JSON.stringify({ inputs: inputsHash(), deployment }, null, 2)}\n`)
  for (const [index, state] of states.entries())
    writeFileSync(stateFile(CHAIN_PLANS[index]?.axelarName ?? `${index}`), state)
}
