package config

import (
	"slices"
	"time"
)

// field is one key of homebot.toml: everything there is to know about it.
type field struct {
	key   string // "table.name"
	env   string // variable that wins over the file; "" none (text and secrets only)
	about string // for the sample file: English, then short Chinese, one line each
	bind  func(*Config) value
}

// fields returns every key in the order of the sample file, tables together.
func fields() []field {
	return slices.Concat(mindFields(), speechFields(), engineFields(), wakeFields(), soundFields(), voiceFields(), talkFields(), deviceFields(), systemFields())
}

func mindFields() []field {
	return []field{
		{
			"llm.base_url", "OPENAI_BASE_URL",
			"Address of an OpenAI-compatible server. OPENAI_BASE_URL wins over it.\n大模型的地址（兼容 OpenAI 接口）。",
			func(c *Config) value { return &text{&c.LLM.BaseURL, isModelAddress} },
		},
		{
			"llm.model", "HOMEBOT_MODEL",
			"Name of the model on that server. HOMEBOT_MODEL wins over it.\n模型名称。",
			func(c *Config) value { return &text{&c.LLM.Model, isFilled} },
		},
		{
			"llm.api_key", "OPENAI_API_KEY",
			"Key for that server. Better keep it in the environment: OPENAI_API_KEY wins over it.\n密钥，最好放在环境变量里。",
			func(c *Config) value { return &hidden{&c.LLM.APIKey, nil} },
		},
		{
			"llm.window", "",
			"Tokens the model takes in one request, as its provider states it, like 4096; 0: not known, then nothing is too much.\n模型一次最多能看多少 token，0 表示不知道。",
			func(c *Config) value { return &number{&c.LLM.Window, 0, 10_000_000} },
		},
		{
			"context.profile", "",
			"How much context a request carries: \"auto\" decides by itself; or \"full\", \"compact\", \"minimal\".\n上下文模式：auto 自动，full 深度分析，compact 标准对话，minimal 快速应答。",
			func(c *Config) value {
				return &text{&c.Context.Profile, oneOf(ProfileAuto, ProfileFull, ProfileCompact, ProfileMinimal)}
			},
		},
	}
}

func speechFields() []field {
	return []field{
		{
			"speech.url", "",
			"Address of a speech server, http or https. Empty: homebot starts its own on this machine.\n语音服务的地址，留空则在本机启动。",
			func(c *Config) value { return &text{&c.Speech.URL, optional(isHTTP)} },
		},
		{
			"speech.remote_wake", "",
			"Let a server on another machine listen for the wake word. It then hears everything, all the time.\n是否让远程服务监听唤醒词（它会一直听到所有声音）。",
			func(c *Config) value { return &flag{&c.Speech.RemoteWake} },
		},
		{
			"speech.token", "",
			"Token of that server, if it wants one.\n语音服务的令牌。",
			func(c *Config) value { return &hidden{&c.Speech.Token, nil} },
		},
	}
}

// engineFields are about the speech server that homebot starts itself.
func engineFields() []field {
	return []field{
		{
			"speech.engine", "",
			"What listens on this machine: \"sherpa\", \"sphinx\", or \"auto\": sherpa when its models are whole (docs/MODELS.md).\n本机用哪个引擎听：auto 表示 sherpa 的模型齐全时用 sherpa，否则用 sphinx。",
			func(c *Config) value { return &text{&c.Speech.Engine, oneOf(EngineAuto, EngineSherpa, EngineSphinx)} },
		},
		{
			"speech.transcribe", "",
			"Another server that understands what is said after the wake word, its kind and address: \"openai http://host:port/v1 MODEL\", or vosk, sherpa, funasr like \"vosk ws://host:port\". Empty: none.\n唤醒之后由别的服务来识别，写它的种类和地址，留空则只用本机。",
			func(c *Config) value { return &text{&c.Speech.Transcribe, optional(isTranscribe)} },
		},
		{
			"speech.transcribe_token", "HOMEBOT_TRANSCRIBE_TOKEN",
			"Token of that other server, if it wants one. HOMEBOT_TRANSCRIBE_TOKEN wins over it.\n那个服务的令牌，最好放在环境变量里。",
			func(c *Config) value { return &hidden{&c.Speech.TranscribeToken, nil} },
		},
		{
			"speech.speed", "",
			"Speed of a model's voice by language, 0.25 to 4, like \"zh=1.1,en=0.9\". Empty: as it is.\n各语言真人嗓音的语速，留空为原速。",
			func(c *Config) value { return &text{&c.Speech.Speed, optional(isSpeeds)} },
		},
		{
			"speech.voices", "",
			"File of the members' voices, whole path or beginning in the workspace. Empty: members.json beside the models.\n家庭成员声纹的文件，留空为模型目录里的 members.json。",
			func(c *Config) value { return &text{&c.Speech.Voices, isPath} },
		},
	}
}

func wakeFields() []field {
	return []field{
		{
			"wake.phrases", "",
			"What wakes the device, in Chinese or English; 1 to 8 phrases.\n唤醒词，中英文都可以，最多八个。",
			func(c *Config) value { return &list{&c.Wake.Phrases, isPhrases} },
		},
		{
			"wake.threshold", "",
			"Engine sherpa only: probability a wake phrase needs, 0.01 to 1; lower hears more, also what nobody said. 0: the engine's own, 0.25.\n仅用于 sherpa：唤醒词的门槛，越低越容易唤醒，也越容易误唤醒，0 为引擎的默认值。",
			func(c *Config) value { return &decimal{&c.Wake.Threshold, leastTuning, mostThreshold} },
		},
		{
			"wake.boost", "",
			"Engine sherpa only: how much wake phrases are favoured, 0.01 to 10. 0: the engine's own, 1.\n仅用于 sherpa：唤醒词的加分，0 为引擎的默认值。",
			func(c *Config) value { return &decimal{&c.Wake.Boost, leastTuning, mostBoost} },
		},
		{
			"wake.tuning", "",
			"The same for single phrases, like [\"hey home bot: threshold 0.3 boost 1.5\"].\n单独为某个唤醒词设置门槛和加分。",
			func(c *Config) value { return &tunings{&c.Wake.Tuning} },
		},
	}
}

func soundFields() []field {
	return []field{
		{
			"audio.input", "",
			"Microphone: its name or a part of it (homebot devices lists them). Empty: the default one.\n麦克风的名字或其中一部分，留空用默认的。",
			func(c *Config) value { return &text{&c.Audio.Input, nil} },
		},
		{
			"audio.output", "",
			"Loudspeaker, likewise.\n扬声器，同上。",
			func(c *Config) value { return &text{&c.Audio.Output, nil} },
		},
		{
			"audio.echo", "",
			"Who takes the device's own voice out of what it hears: \"server\" (PulseAudio's or PipeWire's echo-cancel microphone), \"process\" (homebot itself), \"off\", or \"auto\": the server where its microphone does, else homebot.\n由谁消除自己的声音（回声）：server 声音服务器，process 由 homebot，off 不消除，auto 自动。",
			func(c *Config) value {
				return &text{&c.Audio.Echo, oneOf(EchoAuto, EchoServer, EchoProcess, EchoOff)}
			},
		},
	}
}

func voiceFields() []field {
	return []field{
		{
			"voice.end_silence", "",
			"Silence that ends a short command, 300ms to 3s.\n说短句时，停顿多久算说完。",
			func(c *Config) value { return &duration{&c.Voice.EndSilence, 300 * time.Millisecond, 3 * time.Second} },
		},
		{
			"voice.phrase_silence", "",
			"The same after words that are complete, like a stop or a set phrase, 300ms to 3s.\n说完一句固定的话（如“停”）之后，停顿多久算说完。",
			func(c *Config) value {
				return &duration{&c.Voice.PhraseSilence, 300 * time.Millisecond, 3 * time.Second}
			},
		},
		{
			"voice.talk_silence", "",
			"The same in long talk, and after words like \"and\" or \"um\", 500ms to 6s.\n说长段话、或说到“然后”“那个”时，停顿多久算说完。",
			func(c *Config) value { return &duration{&c.Voice.TalkSilence, 500 * time.Millisecond, 6 * time.Second} },
		},
		{
			"voice.talk_after", "",
			"So much speech is long talk, 1s to 30s.\n说了多久算长段话。",
			func(c *Config) value { return &duration{&c.Voice.TalkAfter, time.Second, 30 * time.Second} },
		},
		{
			"voice.noise", "",
			"A sound that goes on so long without new words is noise, 1s to 10s.\n声音持续多久没有新的词，就当作噪声。",
			func(c *Config) value { return &duration{&c.Voice.Noise, time.Second, 10 * time.Second} },
		},
		{
			"voice.no_speech", "",
			"How long to wait for the first word, 1s to 30s.\n唤醒后多久没人说话就不再等。",
			func(c *Config) value { return &duration{&c.Voice.NoSpeech, time.Second, 30 * time.Second} },
		},
		{
			"voice.max_utterance", "",
			"End of what you say when no new words come, whatever sounds, 5s to 2m.\n一直没有新的词时，最多听多久。",
			func(c *Config) value { return &duration{&c.Voice.MaxUtterance, 5 * time.Second, 2 * time.Minute} },
		},
		{
			"voice.max_talk", "",
			"Longest thing you can say in one go, 5s to 5m.\n一段话最长多久。",
			func(c *Config) value { return &duration{&c.Voice.MaxTalk, 5 * time.Second, 5 * time.Minute} },
		},
	}
}

func talkFields() []field {
	return []field{
		{
			"voice.follow_up", "",
			"After a reply you can go on without the wake word for so long, up to 1m; \"0s\" switches it off.\n回答之后多久之内可以不用唤醒词接着说，0s 为关闭。",
			func(c *Config) value { return &duration{&c.Voice.FollowUp, 0, time.Minute} },
		},
		{
			"voice.pre_roll", "",
			"Sound kept from before the wake word was recognised, 500ms to 5s.\n唤醒前保留多长的声音。",
			func(c *Config) value { return &duration{&c.Voice.PreRoll, 500 * time.Millisecond, 5 * time.Second} },
		},
		{
			"voice.barge_in", "",
			"What interrupts a reply beside the wake word: \"speech\" (a stop word, and with echo cancellation anything you say), \"words\" (a stop word) or \"wake\" (nothing else).\n回答时除唤醒词外什么能打断：speech（“停”，有回声消除时任何话）、words（“停”）、wake（只有唤醒词）。",
			func(c *Config) value { return &text{&c.Voice.BargeIn, oneOf(BargeInSpeech, BargeInWords, BargeInWake)} },
		},
		{
			"voice.filler", "",
			"When a reply is so slow, \"One moment.\" is said first, up to 10s; \"0s\" never. The minimal context profile has none.\n回答慢于多久先说“我看看”，0s 为从不；快速应答时不说。",
			func(c *Config) value { return &duration{&c.Voice.Filler, 0, 10 * time.Second} },
		},
		{
			"voice.volume", "",
			"Loudness in percent, 0 to 100.\n音量百分比。",
			func(c *Config) value { return &number{&c.Voice.Volume, 0, 100} },
		},
	}
}

func deviceFields() []field {
	return []field{
		{
			"led.mode_pin", "",
			"GPIO line of the light that is on while a mode is active (gpioinfo lists the names). Empty: no light.\n模式灯接在哪个引脚，留空则没有灯。",
			func(c *Config) value { return &text{&c.LED.ModePin, isPin} },
		},
		{
			"led.mode_active_low", "",
			"true if a low level lights it.\n低电平点亮时写 true。",
			func(c *Config) value { return &flag{&c.LED.ModeActiveLow} },
		},
		{
			"led.state", "",
			"Second light, for what the device is doing and what is wrong (docs/LIGHT.md): a GPIO line, or an LED like \"/sys/class/leds/ACT\". \"auto\": a Raspberry Pi's own green LED. Empty: none.\n状态灯：引脚，或 /sys/class/leds 里的一个灯，auto 用树莓派自带的绿灯，留空则没有。",
			func(c *Config) value { return &text{&c.LED.State, isLamp} },
		},
		{
			"led.mute_pin", "",
			"GPIO line of a push button to ground that turns the microphone off and on. Empty: none.\n静音按钮的引脚（另一端接地），留空则没有。",
			func(c *Config) value { return &text{&c.LED.MutePin, isPin} },
		},
		{
			"led.stop_pin", "",
			"GPIO line of a push button to ground that ends a ring or a reply. Empty: none.\n停止按钮的引脚（另一端接地），留空则没有。",
			func(c *Config) value { return &text{&c.LED.StopPin, isPin} },
		},
		{
			"console.listen", "",
			"Address of the web console. Beyond this machine it needs a token. Empty: no console.\n网页控制台的地址，对外开放必须设置令牌，留空则关闭。",
			func(c *Config) value { return &text{&c.Console.Listen, optional(isAddress)} },
		},
		{
			"console.token", "",
			"Token that a visitor of the console must know.\n控制台的令牌。",
			func(c *Config) value { return &hidden{&c.Console.Token, nil} },
		},
	}
}

func systemFields() []field {
	return []field{
		{
			"console.tls", "",
			"https for the console, which a phone's microphone needs: \"auto\" (beside an open console, on port 443 for 80, 8443 for 8080), \"off\", or host:port.\n控制台的 https（手机麦克风需要）：auto 自动，off 关闭，或写地址。",
			func(c *Config) value { return &text{&c.Console.TLS, isTLS} },
		},
		{
			"console.cert", "",
			"File of a certificate of your own, whole path or beginning in the workspace. Empty: one is made (docs/CONSOLE.md).\n自己的证书文件，留空则自动生成。",
			func(c *Config) value { return &text{&c.Console.Cert, isPath} },
		},
		{
			"console.key", "",
			"File of its key.\n证书的私钥文件。",
			func(c *Config) value { return &text{&c.Console.Key, isPath} },
		},
		{
			"console.hosts", "",
			"Further names under which browsers reach the console, like [\"kitchen.example.org\"]; its own name, homebot.local and its addresses need none.\n浏览器访问控制台时用的其他域名。",
			func(c *Config) value { return &list{&c.Console.Hosts, isHosts} },
		},
		{
			"system.language", "",
			"Language of what is said before anybody spoke, and of the terminal: \"zh\" or \"en\". Empty: that of the shell (LC_ALL, LC_MESSAGES, LANG), else zh, and English in the terminal.\n没人说话之前和终端里使用的语言；留空则按终端的语言设置，否则说中文，终端里用英文。",
			func(c *Config) value { return &text{&c.System.Language, optional(oneOf("zh", "en"))} },
		},
		{
			"system.country", "",
			"Appliance only: country code for Wi-Fi, like \"CN\" or \"DE\".\n仅用于整机：Wi-Fi 的国家代码。",
			func(c *Config) value { return &text{&c.System.Country, optional(isCountry)} },
		},
		{
			"system.timezone", "",
			"Appliance only: time zone, like \"Asia/Shanghai\". Empty: as the machine has it.\n仅用于整机：时区，留空用系统的。",
			func(c *Config) value { return &text{&c.System.Timezone, optional(isTimezone)} },
		},
		{
			"system.wifi_ssid", "",
			"Appliance only: name of the Wi-Fi network.\n仅用于整机：Wi-Fi 名称。",
			func(c *Config) value { return &text{&c.System.WiFiSSID, isSSID} },
		},
		{
			"system.wifi_password", "",
			"Appliance only: its password, 8 to 63 characters. The appliance moves it to its data and empties this.\n仅用于整机：Wi-Fi 密码，8 到 63 个字符；读取之后会被移走并清空。",
			func(c *Config) value { return &hidden{&c.System.WiFiPassword, isWiFiPassword} },
		},
		{
			"system.wifi_hidden", "",
			"Appliance only: true if the network hides its name.\n仅用于整机：隐藏的 Wi-Fi 写 true。",
			func(c *Config) value { return &flag{&c.System.WiFiHidden} },
		},
		{
			"system.hostname", "",
			"Appliance only: name in the network, reached as name.local. Empty: homebot.\n仅用于整机：设备在网络里的名字，留空为 homebot。",
			func(c *Config) value { return &text{&c.System.Hostname, optional(isHostname)} },
		},
	}
}
