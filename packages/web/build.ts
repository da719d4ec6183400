import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { noticesOf } from './notices.ts'

/** The files that the service serves, by name: pages, and their assets under names that change with the contents. */
export type BuiltFiles = ReadonlyMap<string, string>

const PAGES = {
  console: { entry: 'src/console/main.tsx', title: 'OpenRFQ', assets: 'assets/' },
  transfer: { entry: 'src/transfer/main.tsx', title: 'Transfer · OpenRFQ', assets: '../assets/' },
} as const

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="#3355d1"/><path d="M7 10.2h9.2M13.4 6.8l3.4 3.4-3.4 3.4M19 15.8H9.8M12.6 12.4l-3.4 3.4 3.4 3.4" fill="none" stroke="#fff" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/></svg>\n'

/** Builds all pages. The same sources and packages give the same files. */
export const buildPages = async (): Promise<BuiltFiles> => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: Object.fromEntries(Object.entries(PAGES).map(([name, { entry }]) => [name, entry])),
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    conditions: ['openrfq-source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: 'built/assets',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    legalComments: 'eof',
    logLevel: 'warning',
  })
  const files = new Map<string, string>()
  for (const { path, text } of outputFiles) files.set(`assets/${path.split('/').at(-1)}`, text)
  const icon = hashedName('icon', 'svg', ICON)
  files.set(`assets/${icon}`, ICON)
  const notices = noticesOf(import.meta.dirname, Object.keys(metafile.inputs))
  const noticesName = hashedName('notices', 'txt', notices)
  files.set(`assets/${noticesName}`, notices)
  for (const [name, { entry, title, assets }] of Object.entries(PAGES)) {
    const outputs = Object.entries(metafile.outputs)
    const [script, { cssBundle = '' } = {}] = outputs.find(([, output]) => output.entryPoint === entry) ?? []
    const nameOf = (path = ''): string => assets + path.split('/').at(-1)
    files.set(
      `${name}.html`,
      page({
        title,
        script: nameOf(script),
        style: nameOf(cssBundle),
        icon: assets + icon,
        notices: assets + noticesName,
      }),
    )
  }
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const hashedName = (name: string, ending: string, text: string): string =>
  `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.${ending}`

/** Where the built files lie. */
export const BUILT = join(import.meta.dirname, 'built')

const page = ({
  title,
  script,
  style,
  icon,
  notices,
}: Readonly<Record<'title' | 'script' | 'style' | 'icon' | 'notices', string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="license" href="${notices}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. The same facts are at <code>/v1/rfq/transfer?quoteId=…</code></noscript>
</body>
</html>
`
