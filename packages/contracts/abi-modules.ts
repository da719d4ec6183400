import { z } from 'zod'

/** Artifact name to the contract's description, for every contract whose ABI is exported. */
const CONTRACTS = {
  'settlers/IntentSettler': {
    file: 'intent-settler',
    name: 'intentSettlerAbi',
    what: 'Escrow and fills of intents between EVM chains, proved by Axelar.',
  },
  'settlers/AttestedSettler': {
    file: 'attested-settler',
    name: 'attestedSettlerAbi',
    what: 'Escrow and fills of intents between an EVM chain and another family, proved by an attester.',
  },
  'settlers/Settler': {
    file: 'settler',
    name: 'settlerAbi',
    what: 'Escrow and fills of orders between EVM chains, proved by Axelar, and to and from ledgers, proved by attesters.',
  },
  'router/ExpressRouter': {
    file: 'express-router',
    name: 'expressRouterAbi',
    what: 'Swaps, crosses by a gateway call, swaps again, and brings back what is given back.',
  },
} as const

const Artifact = z.object({ abi: z.array(z.unknown()) })

/**
 * Generates the TypeScript modules of the exported ABIs from the compiled artifacts: file name to source text. Throws
 * when an artifact is missing.
 */
export const abiModules = (artifacts: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(CONTRACTS).map(([artifact, { file, name, what }]) => {
      const { abi } = Artifact.parse(JSON.parse(artifacts.get(artifact) ?? 'null'))
      const lines = [
        `// Written by \`npm run artifacts\` from ${artifact}.sol.`,
        `/** ${what} */`,
        `export const ${name} = ${JSON.stringify(abi, null, 2)} as const`,
      ]
      return [`${file}.ts`, `${lines.join('\n')}\n`]
    }),
  )
