import { mkdirSync, rmSync(folder, { recursive: true, force: true })
for (const [name, text] of artifacts) {
  const file = join(folder, `${name}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
