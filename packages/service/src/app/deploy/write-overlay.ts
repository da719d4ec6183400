import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { ConfigError } from '../../core/config-error.ts'
import type { ContractFamily } from './contract-family.ts'

const Section = z.record(z.string(), z.unknown())
const OverlayChain = z.looseObject({ chainId: z.string() })
const Overlay = z.looseObject({ chains: z.array(OverlayChain).optional() })
type Overlay = z.infer<typeof Overlay>

/** What the keeper may pay for giving a transfer back, in wei; written once, for the operator to change. */
const RETURN_GAS_CAP = '20000000000000000'

const readOverlay = async (path: string): Promise<Overlay> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new ConfigError(`${path} cannot be read: ${error.message}`, { cause: error })
  })
  try {
    return Overlay.parse(JSON.parse(text))
  } catch (cause) {
    throw new ConfigError(`${path} is no overlay: correct it, or name another`, { cause })
  }
}

/**
 * Writes the addresses of a family into an operator's overlay, for the chains where it stands; everything else in the
 * file stays. Returns whether the file changed. Throws ConfigError for a file that is no overlay.
 */
export const writeOverlay = async (
  path: string,
  chains: readonly { readonly chainId: string; readonly finalitySeconds: number }[],
  family: ContractFamily,
): Promise<boolean> => {
  const overlay = await readOverlay(path)
  const address = Object.fromEntries(family.contracts.map((contract) => [contract.role, contract.address]))
  const written = new Map((overlay.chains ?? []).map((chain) => [chain.chainId, chain]))
  for (const { chainId, finalitySeconds } of chains) {
    const chain = written.get(chainId) ?? { chainId }
    written.set(chainId, {
      ...chain,
      intent: { ...Section.catch({}).parse(chain['intent']), settler: address['intent'] },
      attested: {
        finalitySeconds,
        ...Section.catch({}).parse(chain['attested']),
        settler: address['attested'],
      },
      express: {
        returnGasCap: RETURN_GAS_CAP,
        ...Section.catch({}).parse(chain['express']),
        router: address['express'],
      },
    })
  }
  const before = JSON.stringify(overlay)
  const next = { ...overlay, chains: [...written.values()] }
  if (JSON.stringify(next) === before) return false
  await writeFile(path, `${JSON.stringify(next, null, 2)}\n`)
  return true
}
