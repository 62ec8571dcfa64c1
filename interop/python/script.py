"""The agent that every peer serves: the first text of a message says what it does (interop/script-agent.ts)."""

FILE = bytes.fromhex('00ff10807f0a0d2001fe9c3b5ad2e16f4488b7c3')
MEDIA_TYPE = 'application/octet-stream'
FILENAME = 'figures.bin'
LINK = 'https://files.example.com/figures.csv'
LINK_TYPE = 'text/csv'
DATA = {'quarter': 'Q4', 'figures': [1, 2.5, -3], 'final': True, 'note': None}


def described_bytes(content, media_type, filename):
    """Bytes as they arrived, decoded, so that a wrong encoding is seen."""
    return {'kind': 'bytes', 'hex': content.hex(), 'mediaType': media_type, 'filename': filename}


def described_link(url, media_type, filename):
    return {'kind': 'link', 'url': url, 'mediaType': media_type, 'filename': filename}
