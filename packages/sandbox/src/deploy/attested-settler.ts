import type { Hex } from '../deployment-types.ts'
import type { Artifacts } from './artifacts.ts'
import type { Site } from './site.ts'

/** How long, at least, orders wait between their fill deadline and their refund: an attestation takes a few seconds here. */
const ATTESTATION_WINDOW_SECONDS = 5

/** Deploys the settler of orders that an attester proves; equal nonces of one key give it one address everywhere. */
export const deployAttestedSettler = (site: Site, artifacts: Artifacts): Promise<Hex> =>
  site.twinDeployer.deploy(artifacts.attestedSettler, [ATTESTATION_WINDOW_SECONDS])
