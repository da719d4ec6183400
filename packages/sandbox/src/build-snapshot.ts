import { buildSnapshot, writeSnapshot } from './snapshot.ts'

writeSnapshot(await buildSnapshot())
