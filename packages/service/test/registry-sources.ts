import { join } from 'node:path'
import { readSources, type SourcePlaces } from '../src/registry/read-sources.ts'
import type { AxelarNetwork, Sources } from '../src/registry/sources.ts'

const FOLDER = join(import.meta.dirname, 'registry-sources')

/** The files of the sources that the committed network files were generated from. */
export const registryPlaces = (network: AxelarNetwork): SourcePlaces => ({
  axelarConfig: join(FOLDER, `${network}-config.json`),
  itsRegistry: join(FOLDER, `${network}-tokens.json`),
  axelarscanAssets: join(FOLDER, 'axelarscan-assets.json'),
  axelarscanChains: join(FOLDER, 'axelarscan-chains.json'),
  chainList: join(FOLDER, 'chain-list.json'),
})

/** The sources that the committed network files were generated from. */
export const registrySources = (network: AxelarNetwork): Promise<Sources> =>
  readSources(network, registryPlaces(network))
