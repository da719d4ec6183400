import { join } from 'node:path'
import { checkLicences } from './licences.ts'

const ROOT = join(import.meta.dirname, '..')
/** A lower count would mean that the lock file was not read. */
const FEWEST = { '.': 200, tools: 40 } as const

for (const [folder, fewest] of Object.entries(FEWEST)) {
  const { read, problems } = checkLicences(join(ROOT, folder))
  for (const problem of problems) console.error(problem)
  if (read < fewest) console.error(`${folder}: read only ${read} packages`)
  if (problems.length > 0 || read < fewest) process.exitCode = 1
  console.log(`licences of ${folder}: ${read} packages, ${problems.length} problems`)
}
