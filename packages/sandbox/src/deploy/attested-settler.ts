import type { Hex } from '../deployment-types.ts'
import type { Artifacts } from './artifacts.ts'
import type { Site } from './site.ts'

/** Minimum time between fill deadline and refund, in seconds; an attestation takes a few seconds here. */
const ATTESTATION_WINDOW_SECONDS = 5

/** Deploys the settler of attested orders. The same key and nonce on every chain give it the same address. */
export const deployAttestedSettler = (site: Site, artifacts: Artifacts): Promise<Hex> =>
  site.twinDeployer.deploy(artifacts.attestedSettler, [ATTESTATION_WINDOW_SECONDS])
