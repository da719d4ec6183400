import { writeFileSync } from 'node:fs'
import { axelarFiles } from './test/axelar-files.ts'

/** Writes what the SDK knows of Axelar's networks from the network files of the service. */
for (const { path, text } of axelarFiles()) writeFileSync(path, text)
