"""The style of e-mails. A mail program loads no style sheet, so the tokens of `static/css/tokens.css` are written as hex."""

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root{color-scheme:light dark}
body{margin:0;padding:24px 12px;background:#f3f7f8;color:#152025}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Arial,sans-serif}
.mail{max-width:560px;margin:0 auto;padding:24px;background:#fdfefe;border:1px solid #dbe1e2;border-radius:10px}
.brand{margin:0 0 16px;font-weight:600;color:#3f4b50}
h1{margin:0 0 16px;font-size:20px;line-height:1.25;overflow-wrap:anywhere}
h2{margin:20px 0 6px;font-size:16px;line-height:1.25}
ul{margin:0 0 12px;padding-left:20px}
li{margin:0 0 6px;overflow-wrap:anywhere}
p{margin:0 0 12px;overflow-wrap:anywhere}
a{color:#006672}
.item{margin:0 0 20px}
.quote{padding-left:12px;border-left:3px solid #dbe1e2;color:#3f4b50}
.time{font-weight:600}
.who{margin-bottom:4px;color:#576367;font-size:14px}
.who b{color:#152025}
.owner{padding:1px 6px;border-radius:4px;background:#006370;color:#ffffff;font-size:12px;font-weight:600}
.mail-words{white-space:pre-line}
.go{display:inline-block;padding:12px 20px;border-radius:6px;background:#006370;color:#ffffff}
.go{font-weight:600;text-decoration:none}
.foot{margin-top:24px;padding-top:16px;border-top:1px solid #dbe1e2;color:#576367;font-size:14px}
@media (prefers-color-scheme:dark){
body{background:#0f1518;color:#e9eeee}
.mail{background:#151c1f;border-color:#272f33}
.brand,.quote{color:#bac3c5}
a{color:#70d5db}
.quote,.foot{border-color:#272f33}
.who,.foot{color:#97a2a6}
.who b{color:#e9eeee}
.owner,.go{background:#5dcbd1;color:#02171c}
}
"""
TAG: Final = f"<style>{STYLE}</style>"
SOURCE: Final = "'sha256-" + base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode() + "'"
"""What a content security policy says to allow this style and no other."""
