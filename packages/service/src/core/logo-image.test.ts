import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logoImage } from './logo-image.ts'

const svg = (inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${inside}</svg>`)

const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33)
  bytes.write('\u0089PNG\r\n\u001a\n', 'latin1')
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const webp = (kind: 'VP8X' | 'VP8L' | 'VP8 ', sides: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0)
  bytes.write(`WEBP${kind}`, 8)
  bytes.set(sides, kind === 'VP8X' ? 24 : kind === 'VP8L' ? 21 : 26)
  return bytes
}

/** Each runs something, loads something, or can be read in two ways. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT>alert(1)</SCRIPT>',
  '<svg:script>alert(1)</svg:script>',
  '<path onload="alert(1)"/>',
  '<path\nOnClick = "alert(1)"/>',
  '<path d="M0"/onload=alert(1)>',
  '<foreignObject><body/></foreignObject>',
  '<iframe src="#"/>',
  '<a href="#"><path/></a>',
  '<image href="https://evil.example/track.png"/>',
  '<image xlink:href="//evil.example/track.png"/>',
  '<image href = " https://evil.example/"/>',
  '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
  '<use href="other.svg#part"/>',
  '<use href="java&#115;cript:alert(1)"/>',
  '<style>@import "https://evil.example/a.css";</style>',
  '<style>path { fill: url(https://evil.example/a) }</style>',
  '<style>path { fill: u\\72l(https://evil.example/a) }</style>',
  '<path style="fill: url(&quot;https://evil.example/a&quot;)"/>',
  '<path fill="url( \'//evil.example/a\' )"/>',
  '<animate attributeName="href" to="javascript:alert(1)"/>',
  '<set attributeName="onload" to="alert(1)"/>',
  '<feImage href="#a"/>',
  '<?xml-stylesheet href="https://evil.example/a.css"?>',
  '<![CDATA[<script>]]>',
  '<path xml:base="https://evil.example/"/>',
]

test('a PNG, a WebP and an SVG are logos of their own type', () => {
  assert.equal(logoImage(png(64, 2048))?.type, 'image/png')
  assert.equal(logoImage(webp('VP8X', Buffer.from([63, 0, 0, 255, 7, 0])))?.type, 'image/webp')
  assert.equal(logoImage(webp('VP8 ', Buffer.from([64, 0, 64, 0])))?.type, 'image/webp')
  assert.equal(logoImage(webp('VP8L', Buffer.from([63, 192, 15, 0])))?.type, 'image/webp')
  for (const inside of [
    '<path d="M0 0" fill="url(#a)"/>',
    '<defs><linearGradient id="a" xlink:href="#b"/></defs>',
    '<image href="data:image/png;base64,iVBORw0="/>',
    '<style>.a { fill: #fff }</style><g class="a"/>',
    '<title>Mission on = 1</title>'.replace(' on = 1', ''),
  ])
    assert.equal(logoImage(svg(inside))?.type, 'image/svg+xml', inside)
  for (const head of [
    '\n<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->\n',
    '<!DOCTYPE svg>',
    '<?xml version="1.0"?><!-- a --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/svg11.dtd"> <!-- b -->',
  ])
    assert.equal(logoImage(Buffer.concat([Buffer.from(head), svg('')]))?.type, 'image/svg+xml', head)
})

test('an SVG that runs or loads something is no logo', () => {
  for (const inside of HOSTILE) assert.equal(logoImage(svg(inside)), undefined, inside)
  for (const text of [
    '<!DOCTYPE svg [<!ENTITY a "<script>">]><svg>&a;</svg>',
    '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>',
    '<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY a "b">]><svg>&a;</svg>',
    '<!DOCTYPE svg "a><script>"><svg></svg>',
    '<!DOCTYPE html><svg></svg>',
    '<svg><!DOCTYPE svg></svg>',
    '<html><svg></svg></html>',
    '<svgx></svgx>',
    '<?xml-stylesheet href="a"?><svg/>',
    '\ufeff\ufeff<html/>',
  ])
    assert.equal(logoImage(Buffer.from(text)), undefined, text)
  assert.equal(logoImage(Buffer.concat([svg(''), Buffer.from([0xff])])), undefined)
})

test('a picture whose sides are none or larger than 2048 pixels is no logo', () => {
  for (const [width, height] of [
    [0, 8],
    [8, 2049],
    [2 ** 31, 1],
  ] as const)
    assert.equal(logoImage(png(width, height)), undefined)
  assert.equal(logoImage(webp('VP8X', Buffer.from([255, 255, 255, 0, 0, 0]))), undefined)
  assert.equal(logoImage(webp('VP8L', Buffer.from([255, 255, 255, 255]))), undefined)
  assert.equal(logoImage(webp('VP8 ', Buffer.from([255, 63, 1, 0]))), undefined)
})

test('rejects bytes of any other format, even with the content type of an image', () => {
  for (const bytes of [
    '',
    'GIF89a',
    '\u0089PNG\r\n\u001a\n',
    'RIFFxxxxWEBPVP8X',
    '{}',
    '<!doctype html><svg/>',
  ])
    assert.equal(logoImage(Buffer.from(bytes, 'latin1')), undefined, bytes)
})

test('ends with the largest pictures of repeated content, whatever is repeated', () => {
  const most = 256 * 1024
  for (const part of [
    ' ',
    '\n\t',
    '<!---->',
    '<!-- --> ',
    '< ',
    '<a',
    '"on',
    '/onon',
    'url( ',
    'href = ',
    '&#1',
    '<svg ',
  ])
    for (const head of ['', '<svg ', '<?xml ']) {
      const text = (head + part.repeat(most)).slice(0, most)
      // A pattern of cubic time would take hours.
      assert.notEqual(logoImage(Buffer.from(text))?.type, 'image/png', head + part)
    }
})
