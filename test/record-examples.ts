import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPENER } from '@openrfq/sandbox/src/keys.ts'
import { recordTrouble } from './example-refusals.ts'
import { recordWalks } from './example-walks.ts'
import { temporaryDirectory } from './sandbox-service.ts'
import { startServiceProcess } from './service-process.ts'

/** Records the examples of the API's description from a sandbox; `npm run openapi` puts them into `openapi.json`. */
const TARGET = join(import.meta.dirname, '../packages/service/src/http/openapi/recordings.json')

const directory = temporaryDirectory()
const service = await startServiceProcess({ DATA_DIR: directory.path, OPENER_PRIVATE_KEY: OPENER.privateKey })
try {
  const recordings = [...(await recordWalks(service)), ...(await recordTrouble())]
  writeFileSync(TARGET, `${JSON.stringify(recordings, null, 2)}\n`)
} finally {
  await service.stop()
  directory.remove()
}
