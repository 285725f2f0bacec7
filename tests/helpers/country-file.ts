import { isIPv6 } from 'node:net';

/** Network, its country, and the key of the country in the file. */
export type Network = readonly [network: string, country: string, key?: string];

interface Node {
  readonly sides: [Node | number | undefined, Node | number | undefined];
  number: number;
}

/** Writes a file in the MaxMind DB format (2.0). Of nested networks the larger one comes first. */
export function countryFile(networks: readonly Network[], bits: 24 | 28 | 32, { hasPointers = false } = {}): Buffer {
  const data: Buffer[] = [];
  let dataBytes = 0;
  const add = (bytes: Buffer): number => {
    const at = dataBytes;
    data.push(bytes);
    dataBytes += bytes.length;
    return at;
  };
  const root: Node = { sides: [undefined, undefined], number: 0 };
  for (const [network, country, key = 'country'] of networks) {
    const value = map([
      [
        key,
        map([
          ['iso_code', text(country)],
          ['geoname_id', unsigned(7)],
        ]),
      ],
      ['is_anonymous', Buffer.from([0x01, 0x07])],
    ]);
    const at = add(value);
    insert(root, network, hasPointers ? add(pointer(at)) : at);
  }
  const nodes: Node[] = [];
  const number = (node: Node): void => {
    node.number = nodes.push(node) - 1;
    for (const side of node.sides) if (typeof side === 'object') number(side);
  };
  number(root);
  const tree = Buffer.concat(
    nodes.map(({ sides }) => {
      const [left, right] = sides.map((side) =>
        side === undefined ? nodes.length : typeof side === 'number' ? nodes.length + 16 + side : side.number,
      ) as [number, number];
      return record(left, right, bits);
    }),
  );
  const facts = map([
    ['node_count', unsigned(nodes.length)],
    ['record_size', unsigned(bits)],
    ['ip_version', unsigned(6)],
    ['database_type', text('Test-Country')],
  ]);
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), facts]);
}

function insert(root: Node, network: string, at: number): void {
  const [address = '', length = ''] = network.split('/');
  const isV6 = isIPv6(address);
  const bytes = isV6 ? expanded(address) : [...Array.from({ length: 12 }, () => 0), ...address.split('.').map(Number)];
  const prefix = Number(length) + (isV6 ? 0 : 96);
  let node = root;
  for (let bit = 0; bit < prefix; bit++) {
    const side = ((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
    if (bit === prefix - 1) node.sides[side] = at;
    else {
      const next = node.sides[side];
      // The data of a larger network applies to both halves of it.
      const child: Node = typeof next === 'object' ? next : { sides: [next, next], number: 0 };
      node.sides[side] = child;
      node = child;
    }
  }
}

/** Bytes of an address that ends with `::`. */
function expanded(address: string): number[] {
  const words = address
    .replace(/::$/, '')
    .split(':')
    .map((word) => parseInt(word, 16));
  return Array.from({ length: 8 }, (_, index) => words[index] ?? 0).flatMap((word) => [word >> 8, word & 255]);
}

function record(left: number, right: number, bits: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(bits / 4);
  if (bits === 24) {
    bytes.writeUIntBE(left, 0, 3);
    bytes.writeUIntBE(right, 3, 3);
  } else if (bits === 32) {
    bytes.writeUInt32BE(left, 0);
    bytes.writeUInt32BE(right, 4);
  } else {
    bytes.writeUIntBE(left & 0xffffff, 0, 3);
    bytes.writeUInt8(((left >> 24) << 4) | (right >> 24), 3);
    bytes.writeUIntBE(right & 0xffffff, 4, 3);
  }
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
}

function unsigned(value: number): Buffer {
  const bytes = Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes]);
}

function map(entries: readonly (readonly [string, Buffer])[]): Buffer {
  return Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([key, value]) => [text(key), value]),
  ]);
}

function pointer(at: number): Buffer {
  return at < 2048
    ? Buffer.from([(1 << 5) | (at >> 8), at & 255])
    : Buffer.from([(1 << 5) | (1 << 3) | ((at - 2048) >> 16), ((at - 2048) >> 8) & 255, (at - 2048) & 255]);
}
