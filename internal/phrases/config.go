package phrases

// What is wrong with the configuration, and the way out: told after the file, the
// line and the key ("homebot.toml:3:5: llm.model: …").
var (
	// ConfigEmpty: a value that must not be empty.
	ConfigEmpty = Phrase{ZH: "是空的；请填上，或者删掉这一行", EN: "is empty; fill it in or take the line out"}
	// ConfigNoWebAddress: no http address.
	ConfigNoWebAddress = Phrase{ZH: "不是网址；请写成 http://主机:端口/路径 这样", EN: "is not a web address; write it like http://host:port/path"}
	// ConfigUserInAddress: an address with a password.
	ConfigUserInAddress = Phrase{ZH: "里面有用户名或密码；请从地址里去掉，改用密钥或令牌", EN: "holds a user name or password; take it out of the address and use the key or token instead"}
	// ConfigQueryInAddress: an address with more behind the path.
	ConfigQueryInAddress = Phrase{ZH: "里面有 ? 或 #；地址请写到它前面为止", EN: "holds a ? or #; end the address before it"}
	// ConfigEndpointInAddress: [llm] base_url.
	ConfigEndpointInAddress = Phrase{ZH: "以 /chat/completions 结尾，这一段 homebot 会自己加上；请去掉它，只写到它前面，例如 https://api.openai.com/v1", EN: "ends in /chat/completions, which homebot adds itself; leave that ending out, like https://api.openai.com/v1"}
	// ConfigNoPort: a port out of range.
	ConfigNoPort = Phrase{ZH: "里面的端口不存在；请写 1 到 65535 的数字", EN: "has no such port; write a number from 1 to 65535"}
	// ConfigNoAddress: no host:port.
	ConfigNoAddress = Phrase{ZH: "%s 不是地址；请写 主机:端口，例如 127.0.0.1:8080", EN: "%s is not an address; write host:port, like 127.0.0.1:8080"}
	// ConfigNoTLSAddress: [console] tls.
	ConfigNoTLSAddress = Phrase{ZH: "不认识 %s；请写 auto、off，或者 主机:端口，例如 0.0.0.0:8443", EN: "%s is not known; write auto, off, or host:port like 0.0.0.0:8443"}
	// ConfigTooManyNames: [console] hosts.
	ConfigTooManyNames = Phrase{ZH: "有 %d 个名字；最多留 %d 个", EN: "has %d names; keep at most %d"}
	// ConfigNoHostName: [console] hosts.
	ConfigNoHostName = Phrase{ZH: "第 %d 项不是主机名；请写成 kitchen.example.org 这样，不带端口", EN: "item %d is no host name; write it like kitchen.example.org, without port"}
	// ConfigNotOneOf: a word that is none of a few.
	ConfigNotOneOf = Phrase{ZH: "不认识 %s；请写其中一个：%s", EN: "%s is not known; write one of %s"}
	// ConfigNoPin: no GPIO line.
	ConfigNoPin = Phrase{ZH: "%s 不是引脚名；请照 gpioinfo 显示的写，例如 GPIO17", EN: "%s is not a line name; write it as gpioinfo shows it, like GPIO17"}
	// ConfigNoLED: no LED of the kernel.
	ConfigNoLED = Phrase{ZH: "%s 不是 LED；请写成 /sys/class/leds/ACT 这样（用 ls /sys/class/leds 查看）", EN: "%s is no LED; write it like /sys/class/leds/ACT (ls /sys/class/leds lists them)"}
	// ConfigNoCountry: no country code.
	ConfigNoCountry = Phrase{ZH: "%s 不是国家代码；请写两个大写字母，例如 CN", EN: "%s is not a country code; write two capital letters, like CN"}
	// ConfigNoTimezone: no time zone.
	ConfigNoTimezone = Phrase{ZH: "%s 不是时区；请写时区名，例如 Asia/Shanghai", EN: "%s is not a time zone; write its name, like Asia/Shanghai"}
	// ConfigLongSSID: [system] wifi_ssid.
	ConfigLongSSID = Phrase{ZH: "超过 32 字节；没有这么长的 Wi-Fi 名称", EN: "is longer than 32 bytes; no Wi-Fi network has such a name"}
	// ConfigWiFiPassword: [system] wifi_password.
	ConfigWiFiPassword = Phrase{ZH: "长度不对；Wi-Fi 密码是 8 到 63 个字符", EN: "has the wrong length; a Wi-Fi password has 8 to 63 characters"}
	// ConfigNoDeviceName: [system] hostname.
	ConfigNoDeviceName = Phrase{ZH: "%s 不能当设备名；请用小写字母 a 到 z、数字和 -，例如 kitchen", EN: "%s cannot be the name of a device; write small letters a to z, digits and -, like kitchen"}
	// ConfigNoWakePhrase: [wake] phrases.
	ConfigNoWakePhrase = Phrase{ZH: "是空的，这样就没有话能唤醒设备；请至少写一句，或者删掉这一行", EN: "is empty, so nothing could wake the device; write at least one phrase or take the line out"}
	// ConfigTooManyPhrases: [wake] phrases.
	ConfigTooManyPhrases = Phrase{ZH: "有 %d 句；最多留 %d 句", EN: "has %d phrases; keep at most %d"}
	// ConfigLongPhrase: [wake] phrases.
	ConfigLongPhrase = Phrase{ZH: "第 %d 项是空的，或者超过 %d 个字；请写一句短的", EN: "item %d is empty or longer than %d characters; write a short phrase"}
	// ConfigPhraseTwice: [wake] phrases.
	ConfigPhraseTwice = Phrase{ZH: "第 %d 项和前面的重复；请删掉", EN: "item %d repeats an earlier phrase; take it out"}
	// ConfigNoTranscriber: [speech] transcribe.
	ConfigNoTranscriber = Phrase{ZH: "不是类型加地址；请写成 \"vosk ws://主机:端口\" 这样", EN: "is no kind and address; write it like \"vosk ws://host:port\""}
	// ConfigLongOpenAI: [speech] transcribe.
	ConfigLongOpenAI = Phrase{ZH: "词太多了；请写成 \"openai http://主机:端口/v1 模型\" 这样", EN: "has too many words; write it like \"openai http://host:port/v1 MODEL\""}
	// ConfigLongTranscriber: [speech] transcribe.
	ConfigLongTranscriber = Phrase{ZH: "词太多了；请写成 \"%s ws://主机:端口\" 这样", EN: "has too many words; write it like \"%s ws://host:port\""}
	// ConfigNoServerKind: [speech] transcribe.
	ConfigNoServerKind = Phrase{ZH: "开头不是服务的类型；请在地址前面写 openai、vosk、sherpa、funasr 之一", EN: "begins with no kind of server; write one of openai, vosk, sherpa, funasr in front of the address"}
	// ConfigNoSocket: no websocket's address.
	ConfigNoSocket = Phrase{ZH: "不是 websocket 地址；请写成 ws://主机:端口 这样", EN: "is not the address of a websocket; write it like ws://host:port"}
	// ConfigNoSpeed: [speech] speed.
	ConfigNoSpeed = Phrase{ZH: "%s 不是语速；请写语言和 0.25 到 4 的数，例如 \"zh=1.1,en=0.9\"", EN: "%s is no speed; write languages with 0.25 to 4, like \"zh=1.1,en=0.9\""}
	// ConfigTilde: a path.
	ConfigTilde = Phrase{ZH: "以 ~ 开头，只有 shell 才认得；请写完整路径，或者从工作目录写起", EN: "begins with ~, which only a shell understands; write the whole path, or one that begins in the workspace"}
	// ConfigOpenConsole: [console] listen without a token.
	ConfigOpenConsole = Phrase{ZH: "对其他机器开放，却没有令牌；请设置 [console] token，或者改听 127.0.0.1", EN: "is open to other machines and has no token; set [console] token, or listen on 127.0.0.1"}
	// ConfigCertWithoutKey: [console] cert.
	ConfigCertWithoutKey = Phrase{ZH: "要和 key 一起用；请两个都设，或者都不设", EN: "goes with key: set both, or neither"}
	// ConfigTwoTranscribers: [speech] transcribe beside url.
	ConfigTwoTranscribers = Phrase{ZH: "不能和 url 一起用，那边的服务自己会识别；请去掉一个", EN: "cannot be used beside url, whose server understands speech itself; take one of them out"}
	// ConfigTunesNothing: [wake] tuning.
	ConfigTunesNothing = Phrase{ZH: "%s 不是唤醒词；请照 phrases 里的写，或者删掉", EN: "%s is none of the wake phrases; write it as in phrases, or take it out"}
	// ConfigNoNetwork: [system] wifi_password.
	ConfigNoNetwork = Phrase{ZH: "没有对应的网络；请设置 [system] wifi_ssid", EN: "has no network to go with; set [system] wifi_ssid"}
	// ConfigStateIsModePin: [led] state.
	ConfigStateIsModePin = Phrase{ZH: "和 mode_pin 是同一个引脚，那盏灯只显示模式；请换一个", EN: "is the same pin as mode_pin, which shows nothing but the mode; choose another one"}
	// ConfigSamePin: two lines of [led].
	ConfigSamePin = Phrase{ZH: "和 %s 是同一个引脚；请换一个", EN: "is the same pin as %s; choose another one"}
	// ConfigCannotWake: a remote speech server that would have to listen for the wake word, and why this machine cannot.
	ConfigCannotWake = Phrase{ZH: "在另一台机器上，而本机听不了唤醒词（%s）；请装好缺少的，或者设 remote_wake = true，让那边的服务听到一切", EN: "is on another machine, and this one cannot listen for the wake word (%s); install what is missing, or set remote_wake = true to let that server hear everything"}
	// ConfigBadSecret: a key or password.
	ConfigBadSecret = Phrase{ZH: "两头有空格，或者里面有控制字符；请重新复制，不要带上它们", EN: "holds white space at an end or a control character; copy it again without them"}
	// ConfigNumberRange: a number out of range.
	ConfigNumberRange = Phrase{ZH: "%d 超出范围；请写 %d 到 %d 的数", EN: "%d is out of range; write a number from %d to %d"}
	// ConfigNoDuration: no duration.
	ConfigNoDuration = Phrase{ZH: "%s 不是时长；请写数字加单位，例如 \"700ms\" 或 \"8s\"", EN: "%s is not a duration; write a number with its unit, like \"700ms\" or \"8s\""}
	// ConfigDurationRange: a duration out of range.
	ConfigDurationRange = Phrase{ZH: "%s 超出范围；请写 %s 到 %s 的时长", EN: "%s is out of range; write a duration from %s to %s"}
	// ConfigItemKind: an item of a list that is no text.
	ConfigItemKind = Phrase{ZH: "第 %d 项是%s；每一项都要写成引号里的文字", EN: "item %d is %s; every item is text in quotes"}
	// ConfigItem: what is wrong with one item of a list: its number, and the mistake.
	ConfigItem = Phrase{ZH: "第 %d 项%s", EN: "item %d %s"}
	// ConfigControl: a control character.
	ConfigControl = Phrase{ZH: "里面有换行或控制字符；请去掉", EN: "holds a line break or control character; take it out"}
	// ConfigWrongKind: a value of another type: which, and what is wanted.
	ConfigWrongKind = Phrase{ZH: "写的是%s；请写%s", EN: "is %s; write %s"}
	// ConfigWantText: what ConfigWrongKind wants.
	ConfigWantText = Phrase{ZH: "引号里的文字", EN: "text in quotes"}
	// ConfigWantFlag: what ConfigWrongKind wants.
	ConfigWantFlag = Phrase{ZH: "true 或 false，不加引号", EN: "true or false, without quotes"}
	// ConfigWantWhole: what ConfigWrongKind wants.
	ConfigWantWhole = Phrase{ZH: "整数，不加引号", EN: "a whole number without quotes"}
	// ConfigWantDuration: what ConfigWrongKind wants.
	ConfigWantDuration = Phrase{ZH: "带单位的时长，加引号，例如 \"700ms\" 或 \"8s\"", EN: "a duration in quotes with its unit, like \"700ms\" or \"8s\""}
	// ConfigWantList: what ConfigWrongKind wants.
	ConfigWantList = Phrase{ZH: "方括号里的列表，例如 [\"甲\", \"乙\"]", EN: "a list in brackets, like [\"one\", \"two\"]"}
	// ConfigWantNumber: what ConfigWrongKind wants.
	ConfigWantNumber = Phrase{ZH: "数字，不加引号", EN: "a number without quotes"}
	// ConfigIsText: a type of TOML.
	ConfigIsText = Phrase{ZH: "文字", EN: "text"}
	// ConfigIsNumber: a type of TOML.
	ConfigIsNumber = Phrase{ZH: "数字", EN: "a number"}
	// ConfigIsFlag: a type of TOML.
	ConfigIsFlag = Phrase{ZH: "true 或 false 这样的开关", EN: "true or false"}
	// ConfigIsList: a type of TOML.
	ConfigIsList = Phrase{ZH: "列表", EN: "a list"}
	// ConfigIsTable: a type of TOML.
	ConfigIsTable = Phrase{ZH: "一个表", EN: "a table"}
	// ConfigIsTime: a type of TOML.
	ConfigIsTime = Phrase{ZH: "日期或时间", EN: "a date or time"}
	// ConfigTunedTwice: [wake] tuning.
	ConfigTunedTwice = Phrase{ZH: "第 %d 项和前面的重复；请把两个数写在同一项里", EN: "item %d repeats an earlier phrase; write both its figures in one item"}
	// ConfigNoTuning: [wake] tuning.
	ConfigNoTuning = Phrase{ZH: "写得不对；请写成 \"你好小厨: threshold 0.3 boost 1.5\" 这样", EN: "is not written right; write it like \"hey home bot: threshold 0.3 boost 1.5\""}
	// ConfigDecimalRange: a number out of range.
	ConfigDecimalRange = Phrase{ZH: "%s 超出范围；请写 %s 到 %s 的数", EN: "%s is out of range; write a number from %s to %s"}
	// ConfigNoSecret: a key in the file of secrets that is none.
	ConfigNoSecret = Phrase{ZH: "不是密钥；请写进 homebot.toml", EN: "is no secret; write it in homebot.toml"}
	// ConfigNoSetting: a key that is none.
	ConfigNoSetting = Phrase{ZH: "没有这个设置", EN: "there is no such setting"}
	// ConfigNotUTF8: a file in another encoding.
	ConfigNotUTF8 = Phrase{ZH: "不是 UTF-8 文本；请另存为 UTF-8", EN: "is not UTF-8 text; save the file again as UTF-8"}
	// ConfigNoTOML: a line that is not TOML, and why (in English: the parser's own words).
	ConfigNoTOML = Phrase{ZH: "不符合 TOML 的写法（%s）；请改这一行", EN: "%s; correct this line"}
	// ConfigCurlyQuotes: quotes of a word processor.
	ConfigCurlyQuotes = Phrase{ZH: "里面是弯引号，是文字处理软件打的；请改成直引号：\"", EN: "has curly quotes, as word processors make them; type straight ones: \""}
	// ConfigBadSecretLine: a line with a secret that is not TOML.
	ConfigBadSecretLine = Phrase{ZH: "不符合 TOML 的写法；请把值写在同一行的双引号里", EN: "is not written as TOML wants it; write the value in double quotes, on one line"}
	// ConfigNoTable: a table that is none, and the nearest one.
	ConfigNoTable = Phrase{ZH: "没有这个表；是不是想写 [%s]？", EN: "there is no such table; did you mean [%s]?"}
	// ConfigTables: a table that is none, and those that are.
	ConfigTables = Phrase{ZH: "没有这个表；有的是：%s", EN: "there is no such table; the tables are %s"}
	// ConfigKeyElsewhere: a key under the wrong table: it, and its table.
	ConfigKeyElsewhere = Phrase{ZH: "这里没有这个键；%s 应该写在 [%s] 下面", EN: "there is no such key here; %s belongs under [%s]"}
	// ConfigNoKey: a key that is none, and the nearest one.
	ConfigNoKey = Phrase{ZH: "没有这个键；是不是想写 %s？", EN: "there is no such key; did you mean %s?"}
	// ConfigUnknownKey: a key that is none.
	ConfigUnknownKey = Phrase{ZH: "没有这个键；请删掉这一行（homebot config sample 列出所有的键）", EN: "there is no such key; take the line out (homebot config sample lists every key)"}
	// ConfigNoFile: a file that was named and is not there.
	ConfigNoFile = Phrase{ZH: "没有这个文件；请改路径，或者用 homebot config sample 生成一个", EN: "there is no such file; correct the path, or make one with: homebot config sample"}
	// ConfigNoPermission: a file without permission.
	ConfigNoPermission = Phrase{ZH: "当前用户不能读；请改它的属主或权限", EN: "may not be read by this user; change its owner or mode"}
	// ConfigTooLarge: a file that is too large.
	ConfigTooLarge = Phrase{ZH: "超过 %d KiB，不会是 homebot.toml；请改路径", EN: "is larger than %d KiB, so it is no homebot.toml; correct the path"}
	// ConfigUnreadable: a file that cannot be read, and why.
	ConfigUnreadable = Phrase{ZH: "读不了（%v）；请改路径，或者检查磁盘", EN: "cannot be read (%v); correct the path or check the disk"}
	// ConfigNoHome: no workspace, and no home directory.
	ConfigNoHome = Phrase{ZH: "没有设置，也没有主目录；请设成 homebot 专用的目录", EN: "is not set, and there is no home directory; set it to a directory of homebot's own"}
	// ConfigNoAbsolute: a workspace that cannot be found, and why.
	ConfigNoAbsolute = Phrase{ZH: "无法确定位置（%v）；请写绝对路径", EN: "cannot be resolved (%v); set it to an absolute path"}
	// ConfigTableForKey: a table in the place of a key, and the table it belongs under.
	ConfigTableForKey = Phrase{ZH: "在这里是一个表；请写成 [%s] 下面的一行 键 = 值", EN: "is a table here; write it as a line key = value under [%s]"}
	// ConfigKeyForTable: a key in the place of a table.
	ConfigKeyForTable = Phrase{ZH: "是一个表；请写成一行 [%s]", EN: "is a table; write it as a line [%s]"}
)
